/** @file One program on both sides under several command sequences, and the sums of many such. Files are the caller's. */
import { Random } from '../common/random.ts';
import type { PythonRuntime, RunRequest, RunResult } from '../python/types.ts';
import { sequence } from './commands.ts';
import { compare, type Parting } from './compare.ts';
import type { Driver } from './driver.ts';
import { play } from './play.ts';
import type { Command } from './types.ts';

export interface Subject {
  readonly id: string;
  readonly text: string;
  readonly call?: string;
}

export interface SubjectOptions {
  readonly driver: Driver;
  readonly runtime: PythonRuntime;
  /** Sequences; the first one only steps. */
  readonly sequences: number;
  readonly motions: number;
  /** How many of the sequences, the last ones, also edit. */
  readonly edits: number;
  readonly seed: string;
  /** The runtime is of another version than the driver. */
  readonly versions?: boolean;
}

export interface Unexplained extends Parting {
  readonly sequence: number;
  readonly commands: readonly Command[];
}

export interface Early {
  readonly sequences: number;
  readonly stops: number;
}

export interface Tally {
  readonly programs: number;
  readonly sequences: number;
  readonly stops: number;
  readonly rules: Readonly<Record<string, number>>;
  /** By the rule that ended a comparison early: how many sequences, and the stops compared until then. */
  readonly early: Readonly<Record<string, Early>>;
  readonly unexplained: readonly Unexplained[];
}

export const LIMITS = { events: 3000, timeMs: 20_000 };
const STEPS = 200;
/** Conditions that no values decide are decided by running again: only where the recording is short. */
const SHORT = 400;

export const NOTHING: Tally = { programs: 0, sequences: 0, stops: 0, rules: {}, early: {}, unexplained: [] };

export function sum(one: Tally, other: Tally): Tally {
  const rules: Record<string, number> = { ...one.rules };
  for (const [rule, count] of Object.entries(other.rules)) rules[rule] = (rules[rule] ?? 0) + count;
  const early: Record<string, Early> = { ...one.early };
  for (const [rule, { sequences, stops }] of Object.entries(other.early)) {
    const before = early[rule] ?? { sequences: 0, stops: 0 };
    early[rule] = { sequences: before.sequences + sequences, stops: before.stops + stops };
  }
  return {
    programs: one.programs + other.programs,
    sequences: one.sequences + other.sequences,
    stops: one.stops + other.stops,
    rules,
    early,
    unexplained: [...one.unexplained, ...other.unexplained],
  };
}

export async function check(subject: Subject, options: SubjectOptions): Promise<Tally> {
  const { driver, sequences, motions, edits, seed } = options;
  const { id, text, call } = subject;
  const runtime = remembering(options.runtime);
  const request = {
    file: { name: 'main.py', text },
    ...(call === undefined ? {} : { call }),
    limits: LIMITS,
  };
  const { trace } = await runtime.run({ ...request, edits: [], probes: [] });
  let tally: Tally = { ...NOTHING, programs: 1 };
  for (let i = 0; i < sequences; i += 1) {
    const random = new Random('differential', seed, id, i);
    const commands: Command[] =
      i === 0
        ? Array<Command>(STEPS).fill(['step'])
        : sequence(text, random, {
            motions,
            conditions: trace.events.length < SHORT,
            edits: i >= sequences - edits,
          });
    const asked = { id: `${id}#${i}`, text, ...(call === undefined ? {} : { call }), commands };
    const [bdb, npdb] = [await driver.drive(asked), await play(asked, { runtime, limits: LIMITS })];
    const { stops, rules, parting, ended } = compare(bdb, npdb, options.versions);
    const early = ended ? { [ended]: { sequences: 1, stops } } : {};
    const unexplained = parting ? [{ ...parting, sequence: i, commands }] : [];
    tally = sum(tally, { programs: 0, sequences: 1, stops, rules, early, unexplained });
  }
  return tally;
}

/** A program is recorded once for all sequences that do not change it. */
function remembering(runtime: PythonRuntime): PythonRuntime {
  let plain: Promise<RunResult> | undefined;
  const run = (request: RunRequest, options?: Parameters<PythonRuntime['run']>[1]): Promise<RunResult> => {
    if (request.edits?.length || request.probes?.length) return runtime.run(request, options);
    plain ??= runtime.run(request, options);
    return plain;
  };
  return { ...runtime, run };
}
