/**
 * @file Requests DAP has no word for, named `npdb/...`: what the editor extension's commands send. Steps back into and
 * out are with the other motions.
 */
import { z } from 'zod';
import { NpdbError } from '../../common/errors.ts';
import { reverseContinue, type Stop, stateOf } from '../../debugger/control.ts';
import { readTarget, StopRules, type Target } from '../../debugger/stops/index.ts';
import type { Adapter } from './adapter.ts';
import { inlineValues } from './inline.ts';
import { candidateText } from './lazy.ts';
import { start } from './motion.ts';
import { MAX_SOURCE, sourceSchema } from './schemas.ts';
import { differenceText, originOf, placeOf } from './show.ts';
import { lastId, runToLine } from './targets.ts';
import type { Handlers } from './types.ts';

const inverseArguments = z.looseObject({
  value: z.string().min(1).max(MAX_SOURCE),
  n: z.number().int().min(1).max(64).default(8),
  /** Run each proposal in the sandbox; only if asked. */
  check: z.boolean().optional(),
});
const runToArguments = z.looseObject({ source: sourceSchema, line: z.number().int() });
const gotoArguments = z.looseObject({ position: z.number().int().min(0) });
const whoArguments = z.looseObject({
  name: z.string().min(1).max(MAX_SOURCE),
  frameId: z.number().int().optional(),
});

export interface InverseBody {
  readonly candidates: readonly {
    readonly call: string;
    readonly confidence: number;
    readonly checked?: boolean;
    readonly text: string;
  }[];
}

export const custom: Handlers = {
  /** Inputs of the current call that would make it return a value, best first. */
  async 'npdb/inverse'(adapter, given, { signal }) {
    const { value, n, check } = inverseArguments.parse(given);
    const debug = adapter.still();
    const found = await debug.inverse(value, { n, signal, ...(check === undefined ? {} : { check }) });
    const candidates = found.map((c) => ({
      call: c.call,
      confidence: c.confidence,
      ...(c.checked === undefined ? {} : { checked: c.checked }),
      text: candidateText(c),
    }));
    return { body: { candidates } satisfies InverseBody };
  },

  /** On to a line: one prediction, or along the recording. */
  'npdb/runTo'(adapter, given) {
    const { source, line } = runToArguments.parse(given);
    const { program } = adapter.programs.programOf(source);
    const unit = program.unitAt(adapter.fromClientLine(line));
    if (!unit)
      throw new NpdbError('E_BREAKPOINT', 'There is no code on this line.', 'Choose a line with code.');
    return start(adapter, {
      title: `Run to line ${line}`,
      reason: 'goto',
      move: (debug, signal) => runToLine(debug, unit.line, signal),
    });
  },

  /** Every position of the session, in words. */
  'npdb/positions'(adapter) {
    const debug = adapter.still();
    const positions = Array.from({ length: lastId(debug) + 1 }, (_, id) => {
      const position = debug.position(id);
      const state = stateOf(position.outcome);
      const origin = originOf(position);
      const where = state ? `${state.kind} ${placeOf(state)}` : position.outcome.type;
      return { id, text: `${where}${origin ? ` (${origin})` : ''}`, current: debug.current.id === id };
    });
    return { body: { positions } };
  },

  'npdb/goto'(adapter, given) {
    const { position } = gotoArguments.parse(given);
    adapter.still().position(position);
    return start(adapter, {
      title: `Go to position ${position}`,
      reason: 'goto',
      move: async (debug) => ({ position: debug.goto(position), reason: 'step' }),
    });
  },

  /** What a real run of the same walk shows, and where the prediction parts from it. */
  async 'npdb/compare'(adapter) {
    const debug = adapter.still();
    const { session } = adapter.needOpened();
    const { current } = debug;
    const beside = current.real ? { real: current.real, differences: current.differences ?? [] } : null;
    const found = session.compare ? await session.compare(current) : beside;
    if (!found) throw new NpdbError('E_NO_RUNTIME', 'This state is real already.', '');
    const { real, differences } = found;
    const place = real.type === 'state' ? `really at ${placeOf(real.state)}` : `really: ${real.type}`;
    return { body: { place, differences: differences.map(differenceText) } };
  },

  /** Back to the state before the variable got its value. */
  'npdb/whoChanged'(adapter, given) {
    const { name, frameId } = whoArguments.parse(given);
    const frame = adapter.frameOf(adapter.frameFor(frameId));
    const scope = frame.locals.has(name) ? 'local' : frame.globals.has(name) ? 'global' : 'expression';
    const target: Target = { scope, text: name, frame: frame.id, file: frame.file };
    if (readTarget(target, adapter.stateOf(adapter.topFrame()), adapter.programs.all) === undefined) {
      throw new NpdbError('E_NAME', `${name} has no value that this state tells.`, 'Name a variable.');
    }
    return start(
      adapter,
      {
        title: `Who changed ${name}`,
        reason: 'data breakpoint',
        backwards: true,
        move: async (debug, signal) => back(adapter, target, () => reverse(debug, target, signal)),
      },
      { result: '', variablesReference: 0 },
    );
  },

  /** Values to show at the ends of lines. */
  'npdb/inlineValues'(adapter, given) {
    const { frameId } = z.looseObject({ frameId: z.number().int().optional() }).default({}).parse(given);
    return { body: { values: inlineValues(adapter, adapter.frameFor(frameId)) } };
  },
};

// --- internal ---

/** Only this one change stops, whatever breakpoints there are. */
async function reverse(
  debug: Parameters<typeof reverseContinue>[0],
  target: Target,
  signal: AbortSignal,
): Promise<{ readonly stop: Stop; readonly text: string }> {
  const rules = new StopRules();
  rules.points = [{ type: 'data', id: 0, target }];
  rules.begin(debug, true);
  const stop = await reverseContinue(debug, rules, signal);
  return { stop, text: rules.cause?.type === 'data' ? rules.cause.text : '' };
}

async function back(
  adapter: Adapter,
  target: Target,
  walk: () => Promise<{ readonly stop: Stop; readonly text: string }>,
): Promise<Stop> {
  const { stop, text } = await walk();
  const said = text === '' ? `${target.text} has its value from before the entry` : text;
  adapter.output('console', `${said}\n`);
  return stop;
}
