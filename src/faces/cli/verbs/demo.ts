/**
 * @file `npdb demo`, what `npm start` runs: the bundled example with the bundled model. On a terminal pdb's prompt;
 * without one a script, each predicted state beside the state of a real run, and how many agreed.
 */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { Breakpoints } from '../../../debugger/breakpoints.ts';
import type { ComparedDebugger } from '../../../debugger/compared.ts';
import { continueTo } from '../../../debugger/control.ts';
import type { Debugger, Position } from '../../../debugger/types.ts';
import { BUNDLED_MODEL, loadPredictor } from '../../../predictor/load.ts';
import { openRuntime } from '../../../python/index.ts';
import type { Outcome } from '../../../state/types.ts';
import { example, readText } from '../common.ts';
import { differenceText, entryLines, type Files, percent } from '../pdb/show.ts';
import { openSession } from '../session.ts';
import { debugFile } from './debug.ts';

/** Works from `src/` and `dist/` alike. */
const EXAMPLE = fileURLToPath(new URL('../../../../examples/discount.py', import.meta.url));
const CALL = 'total([5, 2, 9], 3)';
const WANTED = '8';

interface DemoOptions {
  readonly model?: string;
  readonly python: string;
}

export function demoVerb(npdb: Command): void {
  const command = npdb
    .command('demo')
    .description(
      'Debug the bundled example: at a prompt on a terminal, else a script compared with a real run.',
    )
    .option('--model <dir>', 'the model (default: the bundled one)')
    .option('--python <name>', 'what runs the program: pyodide, or an interpreter', 'pyodide')
    .action((options: DemoOptions) =>
      process.stdin.isTTY && process.stdout.isTTY ? interactive(options) : play(options),
    );
  example(command, 'npdb demo </dev/null');
}

async function interactive(options: DemoOptions): Promise<void> {
  say(
    `Neural debugging of ${CALL}: try step, next, b 10, continue, p result, rs, inverse 8, real, help, quit.`,
  );
  await debugFile(relative(process.cwd(), EXAMPLE), CALL, {
    ...options,
    engine: 'neural',
    command: [],
    strategy: 'auto',
    seed: 0,
    mask: true,
  });
}

/** One scripted move: what is shown, and what it does to a debugger. */
interface Move {
  readonly says: string;
  readonly does: (debug: Debugger) => Promise<Position>;
}

function script(): Move[] {
  const act = (
    says: string,
    type:
      | 'step_into'
      | 'step_over'
      | 'step_return'
      | 'inv_step_into'
      | 'inv_step_over'
      | 'inv_step_call'
      | 'continue',
  ): Move => ({
    says,
    does: (debug) => debug.act({ type }),
  });
  const toLine = (line: number): Move => ({
    says: `break ${line}; continue`,
    async does(debug) {
      const points = new Breakpoints();
      points.add(debug.programs[0]!, line);
      return (await continueTo(debug, points)).position;
    },
  });
  return [
    act('step', 'step_into'),
    act('step', 'step_into'),
    act('next', 'step_over'),
    act('step', 'step_into'),
    act('step', 'step_into'),
    act('step', 'step_into'),
    act('return', 'step_return'),
    act('next', 'step_over'),
    act('next', 'step_over'),
    act('next', 'step_over'),
    toLine(10),
    { says: 'set result = 10', does: (debug) => debug.set({ name: 'result', value: '10' }) },
    act('next', 'step_over'),
    act('next', 'step_over'),
    act('return', 'step_return'),
    act('reverse-step', 'inv_step_into'),
    act('reverse-next', 'inv_step_over'),
    act('reverse-finish', 'inv_step_call'),
    act('continue', 'continue'),
  ];
}

async function play(options: DemoOptions): Promise<void> {
  const text = await readText(EXAMPLE, 'example');
  const predictor = await loadPredictor(options.model ?? BUNDLED_MODEL);
  say(`Neural debugging of ${CALL} in discount.py: each state as predicted, and as it really is.`);
  say(`Model: ${predictor.name}. The real run is only for comparison.`);
  const runtime = await openRuntime(options.python);
  const open = async (resync: boolean) => {
    const session = await openSession({
      text,
      path: 'discount.py',
      call: CALL,
      engine: 'compared',
      python: options.python,
      strategy: 'auto',
      seed: 0,
      mask: true,
      resync,
      predictor,
      runtime,
    });
    return { ...session, debug: session.debug as ComparedDebugger };
  };
  say('Running it once in the sandbox, to compare with ...');
  const [free, reset] = await Promise.all([open(false), open(true)]);
  try {
    await compareAll(free.debug, reset.debug, free.files);
  } finally {
    await predictor.close();
    await runtime.close();
  }
}

async function compareAll(free: ComparedDebugger, reset: ComparedDebugger, files: Files): Promise<void> {
  const agreed = { free: 0, reset: 0, all: 0 };
  say('');
  showRow('entry', free.current, files);
  for (const move of script()) {
    const position = await move.does(free);
    const beside = await move.does(reset);
    const edit = position.origin === 'edited';
    // What the user sets is no prediction.
    if (!edit) {
      agreed.all += 1;
      agreed.free += Number(same(position));
      agreed.reset += Number(same(beside));
    }
    showRow(move.says, position, files);
    if (!edit && same(position) !== same(beside)) {
      say(`      set back on the real state: ${same(beside) ? 'agrees' : 'differs'}`);
    }
    if (move.says === 'set result = 10') {
      const state = position.outcome.type === 'state' ? position.outcome.state : null;
      say(`   p result: ${state?.stack.at(-1)?.locals.get('result') ?? 'not known'}`);
    }
  }
  say('');
  free.goto(0);
  const candidates = await free.inverse(WANTED, { n: 8 });
  say(`inverse ${WANTED}: which inputs make total return ${WANTED}?`);
  for (const c of candidates.slice(0, 5)) {
    say(
      `   ${c.call}  # predicted, ${percent(c.confidence)}; run: ${c.checked ? 'yes' : `no, gives ${c.gives}`}`,
    );
  }
  const found = Number(candidates.some((c) => c.checked));
  agreed.all += 1;
  say('');
  say(`set back on the real state after each difference: ${ratio(agreed.reset + found, agreed.all)}`);
  say(`states agreed: ${ratio(agreed.free + found, agreed.all)}`);
}

function same(position: Position): boolean {
  return position.real != null && (position.differences ?? []).length === 0;
}

function ratio(hits: number, all: number): string {
  return `${hits}/${all} (${Math.round((100 * hits) / all)} %)`;
}

function showRow(says: string, position: Position, files: Files): void {
  const sure = position.confidence === undefined ? position.origin : percent(position.confidence);
  say(`${says}`);
  const predicted = position.unanswered ? `no answer` : describe(position.outcome, files);
  say(`   predicted (${sure}): ${predicted}`);
  if (position.real === null) say('   real: not known (the recording was cut)');
  else if (same(position)) say('   real: the same');
  else if (position.real) {
    say(`   real: ${describe(position.real, files)}`);
    for (const d of position.differences ?? []) say(`   PARTS: ${differenceText(d)}`);
  }
}

/** One line: kind, place, source, value, locals. */
function describe(outcome: Outcome, files: Files): string {
  if (outcome.type === 'entry') return 'before the entry';
  if (outcome.type === 'exit') return `the program ends: ${outcome.exit}`;
  const { state } = outcome;
  const top = state.stack.at(-1)!;
  const [where, source] = entryLines(top, files, { current: false, value: state.value });
  const locals = [...top.locals].map(([name, value]) => `${name}=${value}`).join(', ');
  return `${state.kind} ${where!.trim()} ${source}  {${locals}}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
