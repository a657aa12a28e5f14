/**
 * @file Commands of the debug console. They begin with a colon, which no Python expression does: what DAP has no
 * request for can be typed in every client.
 */
import { NpdbError } from '../../common/errors.ts';
import type { Adapter } from './adapter.ts';
import { custom, type InverseBody } from './custom.ts';
import { motions } from './motion.ts';
import { plain } from './show.ts';
import type { Answer, Call } from './types.ts';

interface Command {
  readonly name: string;
  readonly usage: string;
  readonly help: string;
  run(adapter: Adapter, rest: string, call: Call): Promise<Answer> | Answer;
}

const text = (result: string, variablesReference = 0): Answer => ({ body: { result, variablesReference } });

/** A motion typed as a command: the console shows nothing, the editor shows the stop. */
function motion(name: string, usage: string, help: string, request: string): Command {
  return {
    name,
    usage,
    help,
    async run(adapter, _, call) {
      const { after } = await motions[request]!(adapter, {}, call);
      return { ...text(''), ...(after ? { after } : {}) };
    },
  };
}

export const COMMANDS: readonly Command[] = [
  motion('rs', ':rs', 'Back to the state before, also inside a call.', 'npdb/reverseStepIn'),
  motion('rn', ':rn', 'Back to the line before of this function, over calls.', 'stepBack'),
  motion('rf', ':rf', 'Back to the call of this function: its arguments.', 'npdb/reverseStepOut'),
  motion('rc', ':rc', 'Back to the last breakpoint, or to the entry.', 'reverseContinue'),
  {
    name: 'inverse',
    usage: ':inverse VALUE [COUNT]',
    help: 'Inputs of this function that would make it return VALUE.',
    async run(adapter, rest, call) {
      const [, value = '', count] = /^(.+?)(?:\s+(\d+))?$/s.exec(rest) ?? [];
      if (value === '') throw new NpdbError('E_ARGUMENT', 'Which value?', 'Say: :inverse VALUE.');
      const { body } = await custom['npdb/inverse']!(
        adapter,
        { value, ...(count ? { n: Number(count) } : {}) },
        call,
      );
      const { candidates } = body as InverseBody;
      if (candidates.length === 0) return text('No input was proposed.');
      const rows = candidates.map((c) => [c.call, c.text] as const);
      const reference = adapter.references.variablesId({ type: 'texts', rows });
      return text(candidates.map((c) => `${c.call}  ${c.text}`).join('\n'), reference);
    },
  },
  {
    name: 'real',
    usage: ':real',
    help: 'Run the program in the sandbox to this state, and say where the prediction parts from it.',
    async run(adapter, _, call) {
      const { body } = await custom['npdb/compare']!(adapter, {}, call);
      const { place, differences } = body as { place: string; differences: readonly string[] };
      return text([place, ...(differences.length > 0 ? differences : ['The prediction agrees.'])].join('\n'));
    },
  },
  {
    name: 'who',
    usage: ':who NAME',
    help: 'Back to where NAME got its value: who changed it?',
    run: (adapter, name, call) => custom['npdb/whoChanged']!(adapter, { name: name.trim() }, call),
  },
  {
    name: 'positions',
    usage: ':positions',
    help: 'All positions of this session.',
    async run(adapter, _, call) {
      const { body } = await custom['npdb/positions']!(adapter, {}, call);
      const { positions } = body as { positions: readonly { id: number; text: string }[] };
      return text(positions.map((p) => `${p.id}  ${p.text}`).join('\n'));
    },
  },
  {
    name: 'goto',
    usage: ':goto POSITION',
    help: 'To an earlier position of this session.',
    async run(adapter, rest, call) {
      if (!/^\d+$/.test(rest)) throw new NpdbError('E_ARGUMENT', 'Which position?', 'Say: :goto NUMBER.');
      const { after } = await custom['npdb/goto']!(adapter, { position: Number(rest) }, call);
      return { ...text(''), ...(after ? { after } : {}) };
    },
  },
  {
    name: 'retval',
    usage: ':retval',
    help: 'The value this function returned.',
    run(adapter) {
      const { outcome } = adapter.still().current;
      const returned =
        outcome.type === 'state' && outcome.state.kind === 'return' ? outcome.state.value : undefined;
      if (returned === undefined) throw new NpdbError('E_NO_RETURN', 'Not yet returned!', '');
      return text(`${plain(returned)}${adapter.mark(adapter.topFrame())}`);
    },
  },
  {
    name: 'help',
    usage: ':help',
    help: 'This list.',
    run: () => text(COMMANDS.map((c) => `${c.usage.padEnd(24)}${c.help}`).join('\n')),
  },
];

/** Throws `E_COMMAND`. */
export async function replCommand(adapter: Adapter, line: string, call: Call): Promise<Answer> {
  const [, name = '', rest = ''] = /^([\w-]*)\s*(.*)$/s.exec(line) ?? [];
  const found = COMMANDS.find((c) => c.name === name);
  if (!found) throw new NpdbError('E_COMMAND', `There is no command :${name}.`, 'See :help.');
  return found.run(adapter, rest, call);
}
