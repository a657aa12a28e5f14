/** @file The launch configuration: debugpy's field names, so that a configuration moves over unchanged, and ours. */
import { z } from 'zod';

const text = z.string();
const words = z.union([z.array(text), text]);

export const launchSchema = z.looseObject({
  /** A Python file. */
  program: text.optional(),
  /** A module, looked for below `cwd`. */
  module: text.optional(),
  /** The program's text itself. */
  code: words.optional(),
  args: words.optional(),
  cwd: text.optional(),
  stopOnEntry: z.boolean().default(false),
  justMyCode: z.boolean().default(true),
  showReturnValue: z.boolean().default(true),
  redirectOutput: z.boolean().default(true),
  console: text.optional(),
  env: z.record(z.string(), z.union([text, z.null()])).optional(),
  envFile: text.optional(),
  /** `pyodide`, or an interpreter; an array's first element is the interpreter. */
  python: words.optional(),
  pythonPath: text.optional(),
  noDebug: z.boolean().default(false),
  // --- ours ---
  /** A call of one of the program's functions; without it the file is run as a script. */
  call: text.optional(),
  engine: z.enum(['neural', 'recorded', 'compared']).default('neural'),
  /** A model's folder. */
  model: text.optional(),
  strategy: z.enum(['auto', 'direct', 'rollout']).default('auto'),
  seed: z.number().int().min(0).default(0),
  mask: z.boolean().default(true),
  /** Compared: set the model back on the real state after each difference. */
  resync: z.boolean().default(false),
  /** Neural: run the program in the sandbox after each stop and report, or correct, the prediction. */
  verify: z.enum(['off', 'report', 'correct']).default('off'),
  /** Stay in the session when the program has ended, so that one can go back. */
  stopOnExit: z.boolean().default(false),
  /** Put `# predicted, 93 %` after values. */
  markValues: z.boolean().default(true),
  /** The program's standard input. */
  stdin: text.optional(),
  limits: z
    .object({
      events: z.number(),
      timeMs: z.number(),
      memoryMb: z.number(),
      outputBytes: z.number(),
    })
    .partial()
    .optional(),
});

export type Launch = z.infer<typeof launchSchema>;

/** `python` as one word. */
export function interpreterOf(launch: Launch): string {
  const { python, pythonPath } = launch;
  const first = Array.isArray(python) ? python[0] : python;
  return first ?? pythonPath ?? 'pyodide';
}

/** `args` as a list; a string is split at blanks outside of quotes, as a shell would. */
export function argumentsOf(launch: Launch): string[] {
  const { args = [] } = launch;
  if (Array.isArray(args)) return args;
  const found = args.match(/(?:[^\s"']|"(?:\\.|[^"\\])*"|'[^']*')+/g) ?? [];
  return found.map((word) => word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'/g, (_, a, b) => a ?? b));
}

/** What debugpy would do with the configuration and this adapter does not: one line each, shown once. */
export function notices(launch: Launch): string[] {
  const found: string[] = [];
  const say = (field: string, why: string) => found.push(`${field} is not used: ${why}.`);
  if (launch.env && Object.keys(launch.env).length > 0) say('env', 'a run has an empty environment');
  if (launch.envFile) say('envFile', 'a run has an empty environment');
  if (launch.console !== undefined && launch.console !== 'internalConsole')
    say(`console "${launch.console}"`, 'a run has no terminal; output comes here');
  if (!launch.justMyCode) say('justMyCode: false', "only the program's own file is recorded or predicted");
  for (const field of ['subProcess', 'sudo', 'django', 'flask', 'jinja', 'gevent', 'pyramid', 'autoReload']) {
    const value = launch[field];
    if (value === true || (typeof value === 'object' && value !== null))
      say(field, 'one program is debugged, in a sandbox');
  }
  return found;
}
