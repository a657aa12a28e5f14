/**
 * @file What only a neural debugger can be asked: change a variable and go on, the output of a call, the inputs for an
 * output, and how far all that is true. None of them moves the session but set_variable.
 */
import { z } from 'zod';
import { NpdbError } from '../../../common/errors.ts';
import { stateOf as stateIn } from '../../../debugger/control.ts';
import { NeuralDebugger } from '../../../debugger/neural.ts';
import { start } from '../../../debugger/start.ts';
import type { Position } from '../../../debugger/types.ts';
import type { Strategy } from '../../../predictor/types.ts';
import type { Program } from '../../../source/types.ts';
import type { State } from '../../../state/types.ts';
import { canonicalLiteral, parseValue, pythonEqual } from '../../../values/index.ts';
import { programFrom } from '../programs.ts';
import type { DebugSession } from '../sessions.ts';
import { differencesOf, endText, plain, round, stateOf, stopReply } from '../show.ts';
import { defineTool, type Extra, type Kit, sessionId } from './kit.ts';
import { source, strategy } from './lifecycle.ts';
import { timeoutMs } from './motion.ts';

const optionalSession = sessionId.optional().describe('A started session; or give the program itself.');

export function worldTools(kit: Kit): void {
  const { sessions, shared } = kit;

  defineTool(
    kit,
    'set_variable',
    {
      title: 'Set a variable',
      description:
        'What if? Makes a new position with the changed value, and the walk goes on from there. A recorded session runs again with the edit.',
      input: {
        sessionId,
        name: z.string().min(1),
        value: z.string().min(1).describe('A Python expression: "[1, 2]", "total + 1".'),
        frameId: z.number().int().min(0).default(0),
      },
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      return session.exclusive(async () => {
        const { debug, files } = session.started;
        const before = debug.current;
        let { value } = args;
        if (debug.engine === 'neural') {
          const result = await debug.evaluate(value, args.frameId);
          if (result.type === 'error') throw new NpdbError('E_EVALUATION', result.error, 'Mend the value.');
          if (result.type === 'unknown') {
            throw new NpdbError('E_UNKNOWN', `unknown: ${result.why}.`, 'Give a literal.');
          }
          ({ value } = result);
        }
        const position = await debug.set({ name: args.name, value }, args.frameId);
        const info = { sessionId: session.id, sources: files, before, reason: 'edit' as const };
        return stopReply({ position, reason: 'step' }, info);
      });
    },
  );

  defineTool(
    kit,
    'predict_output',
    {
      title: 'Predict the output',
      description:
        'What will this call (or the current function) return? Predicted from the source; nothing is run and the session does not move. With `expected` it says whether they agree.',
      input: {
        sessionId: optionalSession,
        ...source,
        call: z.string().optional().describe('"total([5, 2], 3)"; the current function if absent.'),
        expected: z.string().optional().describe('The value it should return, as a Python literal.'),
        strategy,
        timeoutMs,
      },
      annotations: { readOnlyHint: true },
    },
    async (args, extra) => {
      const { programs, state, sessionId: id } = await asked(kit, args);
      const position = await inTime(args.timeoutMs, extra, async (signal) =>
        (await walker(kit, programs, state, args.strategy)).act({ type: 'step_return' }, signal),
      );
      const outcome = outcomeOf(position, state);
      const agrees =
        args.expected === undefined ? {} : { expected: args.expected, agrees: same(outcome, args.expected) };
      return {
        success: true,
        ...(id ? { sessionId: id } : {}),
        ...(args.call === undefined ? {} : { call: args.call }),
        ...outcome,
        ...agrees,
        origin: 'predicted',
        confidence: round(position.confidence ?? 0),
        ...(position.strategy ? { strategy: position.strategy } : {}),
      };
    },
  );

  defineTool(
    kit,
    'predict_input',
    {
      title: 'Predict inputs',
      description:
        'Which arguments would make this function return `value`? Proposals of the model, best first; where the server may run programs each is run in the sandbox and says `checked`.',
      input: {
        sessionId: optionalSession,
        ...source,
        function: z.string().optional().describe('The current function if absent.'),
        value: z.string().describe('The wanted return value, as a Python literal.'),
        n: z.number().int().min(1).max(32).default(8),
        check: z.boolean().optional().describe('Run the proposals; on if the server may run programs.'),
        timeoutMs,
      },
      annotations: { readOnlyHint: true },
    },
    async (args, extra) => {
      const { programs, state, sessionId: id } = await asked(kit, args);
      const check = args.check ?? shared.mayRun;
      const candidates = await inTime(args.timeoutMs, extra, async (signal) =>
        (await walker(kit, programs, state)).inverse(args.value, { n: args.n, check, signal }),
      );
      return {
        success: true,
        ...(id ? { sessionId: id } : {}),
        value: args.value,
        candidates: candidates.map((c) => ({
          call: c.call,
          confidence: round(c.confidence),
          ...(c.checked === undefined ? {} : { checked: c.checked }),
          ...(c.checked === false && c.gives !== undefined ? { gives: plain(c.gives) } : {}),
        })),
        count: candidates.length,
        ...(check ? {} : { note: 'Ranked by the model, not checked: nothing was run.' }),
        origin: 'predicted',
      };
    },
  );

  defineTool(
    kit,
    'compare_with_real',
    {
      title: 'Compare with a real run',
      description:
        'Repeats the walk that led to a position on a real run in the sandbox and lists every difference. The session does not move. This runs the program.',
      input: { sessionId, position: z.number().int().min(0).optional() },
      annotations: { readOnlyHint: true },
    },
    async (args) => {
      const session = sessions.get(args.sessionId);
      return session.exclusive(async () => {
        const { debug } = session.started;
        const position = args.position === undefined ? debug.current : debug.position(args.position);
        const { real, differences } = await realOf(kit, session, position);
        return {
          success: true,
          sessionId: session.id,
          position: position.id,
          agrees: differences.length === 0,
          differences: differencesOf(differences),
          real: outcomeText(real, session),
          predicted: outcomeText(position.outcome, session),
        };
      });
    },
  );
}

// --- internal ---

interface Asked {
  readonly sessionId?: string | undefined;
  readonly scriptPath?: string | undefined;
  readonly code?: string | undefined;
  readonly call?: string | undefined;
  readonly function?: string | undefined;
}

/** The programs and the state a question is about: a session's, or those of a program that came with it. */
async function asked(kit: Kit, args: Asked) {
  const session = args.sessionId === undefined ? null : kit.sessions.get(args.sessionId);
  const program = (await programFrom(args, kit.roots)) ?? session?.program;
  if (!program) {
    throw new NpdbError('E_ARGUMENT', 'There is no program.', 'Give a session, `scriptPath` or `code`.');
  }
  const id = session ? { sessionId: session.id } : {};
  if (args.call !== undefined) return { ...id, ...start(program.text, args.call, program.path) };
  if (args.function !== undefined) {
    const { programs } = start(program.text, undefined, program.path);
    return { ...id, programs, state: calling(programs[0]!, args.function) };
  }
  const debug = session?.opened?.debug;
  const state = debug && stateOf(debug.current);
  if (state) return { ...id, programs: debug.programs, state };
  throw new NpdbError('E_ARGUMENT', 'Which function?', 'Give `call` or `function`, or start the session.');
}

/** The entry of a function of which no argument is known. */
function calling(program: Program, name: string): State {
  const scope = program.scopes.find((s) => s.kind === 'function' && (s.qualname === name || s.name === name));
  if (!scope) {
    const names = program.scopes.filter((s) => s.kind === 'function').map((s) => s.qualname);
    throw new NpdbError(
      'E_FUNCTION',
      `There is no function ${name} in ${program.name}.`,
      `It has: ${names.join(', ') || 'none'}.`,
    );
  }
  const empty = { locals: new Map(), globals: new Map(), known: false, returned: [], loops: [], aliases: [] };
  const frame = {
    id: 0,
    file: 0,
    scope: scope.id,
    fn: scope.qualname,
    thread: 0,
    line: scope.line,
    ...empty,
  };
  return { kind: 'call', stack: [frame] };
}

/** A predicted walk beside the session, whatever its engine. */
async function walker(kit: Kit, programs: readonly Program[], state: State, how: Strategy = 'auto') {
  return new NeuralDebugger({
    programs,
    initial: state,
    predictor: await kit.shared.predictor(),
    predict: { strategy: how },
    runtime: () => kit.shared.runtime(),
  });
}

async function inTime<T>(ms: number, extra: Extra, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const timeout = AbortSignal.timeout(ms);
  try {
    return await work(AbortSignal.any([timeout, extra.signal]));
  } catch (error) {
    if (!timeout.aborted || extra.signal.aborted) throw error;
    const hint = 'Ask with a larger timeoutMs, or with strategy: direct.';
    throw new NpdbError('E_TIMEOUT', `No answer within ${ms} ms.`, hint, 4);
  }
}

/** What a call ends with. A function that an exception leaves is seen at its `exception` state. */
function outcomeOf(position: Position, asked: State) {
  const { outcome } = position;
  const state = stateIn(outcome);
  if (state?.kind === 'return') return { returnValue: plain(state.value ?? 'None') };
  if (state?.kind === 'exception') return { exception: plain(state.value ?? '?') };
  if (!state) return { ends: endText(outcome as Exclude<Position['outcome'], { type: 'state' }>) };
  const top = state.stack.at(-1)!;
  return {
    ends: `${state.kind} at line ${top.line} of ${top.fn}, not a return of ${asked.stack.at(-1)!.fn}`,
  };
}

/** As Python compares: `1 == 1.0`. */
function same(outcome: { returnValue?: string }, expected: string): boolean {
  if (outcome.returnValue === undefined) return false;
  const [left, right] = [outcome.returnValue, expected].map((text) => canonicalLiteral(text));
  if (!left || !right) return outcome.returnValue.trim() === expected.trim();
  return pythonEqual(parseValue(left), parseValue(right)) === true;
}

async function realOf(kit: Kit, session: DebugSession, position: Position) {
  const { compare, debug } = session.started;
  if (debug.engine === 'recorded') {
    throw new NpdbError(
      'E_ALREADY_REAL',
      'This session is a real run already.',
      'Predict with predict_output.',
    );
  }
  if (position.real !== undefined) {
    if (position.real !== null) return { real: position.real, differences: position.differences ?? [] };
    throw new NpdbError(
      'E_CUT',
      'The recording was cut before this state.',
      'Compare an earlier position.',
      4,
    );
  }
  if (!compare) throw new NpdbError('E_NO_RUN', 'Nothing real is at hand.', 'Start a compared session.');
  // Refuses where the server may not run programs.
  await kit.shared.runtime();
  return compare(position);
}

function outcomeText(outcome: Position['outcome'], session: DebugSession) {
  if (outcome.type !== 'state') {
    const exception = outcome.type === 'exit' ? outcome.exception : undefined;
    return { ends: endText(outcome), ...(exception === undefined ? {} : { exception: plain(exception) }) };
  }
  const { state } = outcome;
  const top = state.stack.at(-1)!;
  return {
    event: state.kind,
    file: session.started.files.names[top.file],
    line: top.line,
    function: top.fn,
    ...(state.value === undefined ? {} : { value: plain(state.value) }),
    variables: Object.fromEntries([...top.locals].map(([name, value]) => [name, plain(value)])),
  };
}
