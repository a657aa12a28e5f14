/** @file Random command sequences by seed: motions of every kind, breakpoints of every kind, edits. */
import type { Random } from '../common/random.ts';
import { parseProgram } from '../source/index.ts';
import type { BreakOptions, Command } from './types.ts';

export interface SequenceOptions {
  /** Motions in the sequence. */
  readonly motions: number;
  /** Conditions are decided by replay where values do not show them: for short recordings. */
  readonly conditions: boolean;
  /** Edits run the program again. */
  readonly edits: boolean;
}

/** One of several habits: stepping through, stepping over, hopping between breakpoints, a bit of everything. */
const HABITS: readonly (readonly (readonly [number, Command[0]])[])[] = [
  [[1, 'step']],
  [
    [1, 'next'],
    [0.3, 'step'],
  ],
  [
    [4, 'step'],
    [2, 'next'],
    [1, 'return'],
    [1, 'until'],
  ],
  [
    [3, 'continue'],
    [2, 'step'],
    [1, 'next'],
    [1, 'return'],
  ],
  [
    [2, 'step'],
    [2, 'next'],
    [1, 'return'],
    [1, 'until'],
    [1, 'continue'],
  ],
  [
    [2, 'until'],
    [1, 'step'],
    [1, 'next'],
  ],
];
const VALUES = ['0', '1', '-3', '[]', '[2, 1]', "'ab'", 'None', '{1: 2}', '(4,)', '2.5', 'True'];

export function sequence(text: string, random: Random, options: SequenceOptions): Command[] {
  const program = parseProgram(text, 'main.py');
  const lines = program.lines.flatMap((_, i) => (program.unitAt(i + 1)?.line === i + 1 ? [i + 1] : []));
  const names = [...new Set(text.match(/\b[a-z_][a-z0-9_]*(?=\s*=[^=])|(?<=\bfor )[a-z_]\w*/g) ?? ['x'])];
  const habit = random.pick(HABITS);
  const commands: Command[] = [];
  let breaks = 0;
  const breakpoint = (): void => {
    const given: BreakOptions = {
      ...(random.chance(0.3) && { temporary: true }),
      ...(options.conditions && random.chance(0.3) && { condition: condition(random, names) }),
      ...(random.chance(0.25) && { ignore: random.int(1, 4) }),
    };
    commands.push(['break', random.pick(lines), given]);
    breaks += 1;
  };
  if (lines.length > 0 && random.chance(0.6)) {
    for (let i = random.int(1, 3); i > 0; i -= 1) breakpoint();
  }
  for (let left = options.motions; left > 0; left -= 1) {
    if (lines.length > 0 && random.chance(0.03)) breakpoint();
    if (breaks > 0 && random.chance(0.03))
      commands.push(['enable', random.int(1, breaks), random.chance(0.5)]);
    if (options.edits && random.chance(0.12)) commands.push(['set', random.pick(names), random.pick(VALUES)]);
    // Each is a run of its own.
    if (options.edits && random.chance(0.06)) commands.push(['print', random.pick(names), random.int(0, 2)]);
    const motion = random.weighted(habit);
    if (motion === 'until') commands.push(random.chance(0.5) ? ['until'] : ['until', random.int(1, 6)]);
    else commands.push([motion] as Command);
  }
  return commands;
}

function condition(random: Random, names: readonly string[]): string {
  const name = random.pick(names);
  return random.pick([
    name,
    `not ${name}`,
    `${name} == ${random.int(0, 3)}`,
    `isinstance(${name}, int) and ${name} > ${random.int(0, 3)}`,
    `type(${name}) is list and len(${name}) % 2 == 1`,
    'True',
    'False',
  ]);
}
