/** @file `npdb trace`: record a run, or all calls of a program set. */
import type { Command } from 'commander';
import { NpdbError } from '../../../common/errors.ts';
import { start } from '../../../debugger/start.ts';
import { loadPrograms, type PytestOutcome, pytestOutcome, traceSet } from '../../../programs/index.ts';
import { openRuntime } from '../../../python/index.ts';
import type { TraceEvent } from '../../../trace/types.ts';
import { collect, example, interruptible, printJson, progress, readText, wholeNumber } from '../common.ts';
import { entryOptions, entryRequest, positional, pythonFor } from '../entry.ts';
import { lineWriter } from '../lines.ts';

interface TraceOptions {
  readonly programs: string[];
  readonly output?: string;
  readonly module?: string;
  readonly root: string[];
  readonly stdin?: string;
  readonly python: string;
  readonly memory?: number;
  readonly trusted?: boolean;
  readonly events?: number;
  readonly time?: number;
  readonly calls?: number;
  readonly json?: boolean;
}

export function traceVerb(npdb: Command): void {
  const command = npdb
    .command('trace')
    .argument('[file]', 'a Python file')
    .argument('[call]', 'a call of one of its functions; without it the file is run as a script')
    .description('Record a run as canonical events, JSON Lines (docs/trace.md, docs/entries.md).')
    .option('--programs <set>', 'instead: all calls of a program set; may be repeated', collect, [])
    .option('-o, --output <path>', 'a file; with --programs a folder')
    .option('--python <name>', 'pyodide, or an interpreter', 'pyodide')
    .option('--trusted', 'with --programs: one process serves many of them, much faster')
    .option('--events <n>', 'stop after this many events', wholeNumber)
    .option('--time <ms>', 'stop after this time', wholeNumber)
    .option('--memory <mb>', 'stop at this much memory', wholeNumber)
    .option('--calls <n>', 'with --programs: at most this many calls of each', wholeNumber)
    .option('--json', 'with --programs: the result as JSON')
    .action(
      (
        file: string | undefined,
        call: string | undefined,
        args: string[],
        options: TraceOptions,
        self: Command,
      ) => {
        if (options.programs.length > 0) return traceMany(options);
        const given = [file, call, ...args].filter((arg) => arg !== undefined);
        return traceOne(positional(npdb, given, options.module), options, self);
      },
    );
  entryOptions(command);
  example(command, 'npdb trace examples/discount.py "total([5, 2, 9], 3)"');
}

function limitsOf(options: TraceOptions) {
  return {
    ...(options.events === undefined ? {} : { events: options.events }),
    ...(options.time === undefined ? {} : { timeMs: options.time }),
    ...(options.memory === undefined ? {} : { memoryMb: options.memory }),
  };
}

async function traceOne(
  { file, call, argv }: ReturnType<typeof positional>,
  options: TraceOptions,
  command: Command,
): Promise<void> {
  if (file === undefined && options.module === undefined) {
    throw new NpdbError(
      'E_USAGE',
      'Nothing to trace.',
      'Name a FILE, a module with -m, or a set with --programs.',
    );
  }
  const python = pythonFor(options, command);
  const source = file === undefined ? '' : await readText(file, 'program');
  // What is wrong with the file or the call is said before anything runs.
  if (file !== undefined) start(source, call, file);
  const request = await entryRequest(file ?? '', source, python, options, argv);
  const signal = interruptible();
  const runtime = await openRuntime(python);
  const out = options.output === undefined ? null : lineWriter(options.output);
  // Events go to the file as they come and are not kept, but for those with the output that tells a test's outcome.
  const said: TraceEvent[] = [];
  const onEvent = (event: TraceEvent) => {
    out?.write(event);
    if (event.o !== undefined) said.push(event);
  };
  try {
    const { trace } = await runtime.run(
      {
        ...request,
        ...(call === undefined ? {} : { call }),
        limits: { ...request.limits, ...limitsOf(options) },
      },
      { signal, ...(out ? { onEvent, keep: false } : {}) },
    );
    if (out) out.finish([trace.header], [trace.end]);
    else {
      for (const line of [trace.header, ...trace.events, trace.end])
        process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    if (trace.end.status === 'cut') {
      process.stderr.write(`npdb: cut (${trace.end.reason}) after ${trace.end.events} events\n`);
    } else if (trace.end.exception) {
      process.stderr.write(`npdb: the program ended with ${trace.end.exception}\n`);
    }
    if (options.module === 'pytest') sayOutcome(pytestOutcome(out ? { ...trace, events: said } : trace));
  } finally {
    out?.close();
    await runtime.close();
  }
}

function sayOutcome({ outcome, summary }: PytestOutcome): void {
  process.stderr.write(`npdb: pytest: ${outcome}${summary === '' ? '' : ` (${summary})`}\n`);
}

async function traceMany(options: TraceOptions): Promise<void> {
  if (options.output === undefined) {
    throw new NpdbError('E_USAGE', 'Where to?', 'Give a folder with -o DIR.');
  }
  const programs = await loadPrograms(options.programs);
  const runtime = await openRuntime(options.python, { pool: options.trusted ?? false });
  const bar = progress('tracing', 1);
  try {
    const manifest = await traceSet(programs, runtime, {
      outDir: options.output,
      limits: limitsOf(options),
      ...(options.calls === undefined ? {} : { calls: options.calls }),
      onProgress: (p) => bar.update(p.done, `of ${p.total}, ${p.events} events`),
      signal: interruptible(),
    });
    bar.stop();
    if (options.json) printJson(manifest);
    else
      process.stdout.write(
        `${manifest.traces} traces of ${manifest.programs} programs in ${options.output}\n`,
      );
  } finally {
    bar.stop();
    await runtime.close();
  }
}
