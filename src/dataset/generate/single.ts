/**
 * @file Level 1: one to three operations, a line each. A call's later arguments are drawn to fit the first ones (a key of the dict, a
 * part of the string, a position in the list), mostly; the rest, and now and then a value of a wrong type, raise.
 */
import type { Random } from '../../common/random.ts';
import { Env } from './env.ts';
import { FUNCTION_NAMES, RESULT_NAMES } from './names.ts';
import { drawOperation, drawOperationOn } from './operations/index.ts';
import { loopNames } from './operations/names.ts';
import { fill, isStatement, namesOnly, type Operation, TYPES } from './operations/operation.ts';
import { alike, type Hints, hintsOf, otherType, partOf, sample, show, type Value, WRONG } from './samples.ts';
import { indent } from './statements.ts';
import { charValue, quote, type Ty, word } from './values.ts';

/** Chance that an operand which must fit the first one does. */
const FITTING = 0.86;
/** Letters whose values must fit the first operand. */
const RELATED = 'kKjmwp';

interface Parameter {
  readonly name: string;
  readonly letter: string;
  /** The parameter it must fit. */
  readonly fits: number | null;
}

export interface Single {
  readonly lines: readonly string[];
  readonly call: (r: Random) => string;
}

export function singleOperation(r: Random): Single {
  const parameters: Parameter[] = [];
  const lines: string[] = [];
  const taken = new Set<string>();
  const name = r.chance(0.4) ? 'f' : r.pick(FUNCTION_NAMES);
  taken.add(name);
  let env = new Env(r, [], [], taken);
  /** The parameter a variable is, if it still holds what it was called with. */
  const origin = new Map<string, number>();

  const parameter = (letter: string, fits: number | null): string => {
    const type = TYPES[letter]!;
    const made = env.fresh(type);
    origin.set(made, parameters.length);
    parameters.push({ name: made, letter, fits });
    env = env.with({ name: made, type, frozen: false });
    return made;
  };

  const operand = (letter: string, first: string | null, bare: boolean): string => {
    const type = TYPES[letter]!;
    if (first === null && r.chance(0.06) && !RELATED.includes(letter)) {
      const made = env.fresh(type);
      lines.push(`${made} = ${show(valueFor(r, letter, NO_VALUES))}`);
      env = env.with({ name: made, type, frozen: false });
      return made;
    }
    const fits = first === null || !RELATED.includes(letter) ? null : (origin.get(first) ?? null);
    const known = env.of(type).filter((n) => n !== first);
    if (first !== null && known.length && fits === null && letter === short(type) && r.chance(0.4)) {
      return env.recent(known);
    }
    if (!bare && first !== null && (parameters.length > 2 || r.chance(0.16))) {
      const constant = constantOf(r, letter);
      if (constant !== null) return constant;
    }
    return parameter(letter, fits);
  };

  const add = (operation: Operation, first: string | null, last: boolean): string | null => {
    const operands: string[] = first === null ? [] : [first];
    for (const letter of operation.operands.slice(operands.length))
      operands.push(operand(letter, operands[0] ?? null, namesOnly(operation)));
    const over = TYPES[operation.operands[0]!]!;
    const type = operation.result === 'other' || operation.result === null ? 'int' : operation.result;
    const fresh = () => (r.chance(0.6) ? env.freshResult(type) : env.fresh(type, RESULT_NAMES[type]));
    const loop = loopNames(r, over, env.taken);
    for (const used of loop)
      if (operation.text.includes('for ') && !isStatement(operation)) env.taken.add(used);
    const results = operation.text.includes('$r') ? [fresh(), fresh()] : [];
    const text = fill(r, operation.text, { operands, results, loop });
    const bind = (made: string): string => {
      origin.delete(made);
      if (operation.result !== 'other') env = env.with({ name: made, type, frozen: false });
      return made;
    };
    if (isStatement(operation)) {
      lines.push(...text.split('\n'));
      origin.delete(operands[0]!);
      if (operation.result === null) return results.length && r.chance(0.6) ? results[0]! : operands[0]!;
      return bind(results[0]!);
    }
    if (last && r.chance(0.25)) {
      lines.push(`return ${text}`);
      return null;
    }
    const same = operation.result === over && /^\w+$/.test(operands[0]!) && r.chance(0.25);
    const made = same ? operands[0]! : fresh();
    lines.push(`${made} = ${text}`);
    return bind(made);
  };

  const count = r.weighted([
    [62, 1],
    [27, 2],
    [11, 3],
  ]);
  let value: string | null = add(drawOperation(r), null, count === 1);
  for (let n = 2; n <= count && value !== null; n++) {
    const type = env.variables.find((v) => v.name === value)?.type;
    const next = type ? drawOperationOn(r, type) : null;
    if (!next) break;
    value = add(next, value, n === count);
  }
  if (value !== null) lines.push(`return ${value}`);
  const code = [`def ${name}(${parameters.map((p) => p.name).join(', ')}):`, ...indent(lines)];
  const hints = hintsOf(lines.join('\n'));
  return { lines: code, call: (q) => `${name}(${argumentsOf(q, parameters, hints).map(show).join(', ')})` };
}

// --- internal ---

const NO_VALUES: Hints = { texts: [], numbers: [] };

function argumentsOf(r: Random, parameters: readonly Parameter[], hints: Hints): Value[] {
  const values: Value[] = [];
  for (const { letter, fits } of parameters) {
    const whole = fits === null ? null : values[fits]!;
    const part = whole !== null && r.chance(FITTING) ? fitting(r, whole, letter) : undefined;
    const twin = parameters.findIndex((p, at) => at < values.length && p.letter === letter);
    values.push(
      part ??
        (twin >= 0 && r.chance(0.6)
          ? alike(r, values[twin]!, TYPES[letter]!, hints)
          : valueFor(r, letter, hints)),
    );
  }
  if (values.length && r.chance(WRONG)) {
    const at = r.int(0, values.length - 1);
    values[at] = otherType(r, values[at]!);
  }
  return values;
}

/** A value that stands to another as its letter says. */
function fitting(r: Random, whole: Value, letter: string): Value | undefined {
  if (letter === 'j') {
    const length = typeof whole === 'string' ? whole.length : Array.isArray(whole) ? whole.length : 3;
    return length ? r.int(r.chance(0.25) ? -length : 0, length - 1) : undefined;
  }
  if (letter === 'm' || letter === 'K') {
    const items = whole instanceof Map ? [...whole.keys()] : whole instanceof Set ? [...whole] : whole;
    const numbers = Array.isArray(items)
      ? (items as readonly Value[]).filter((i) => typeof i === 'number')
      : [];
    if (numbers.length) return r.pick(numbers);
  }
  return partOf(r, whole, TYPES[letter]!);
}

function valueFor(r: Random, letter: string, hints: Hints): Value {
  switch (letter) {
    case 'N':
      return r.int(0, 4);
    case 'j':
      return r.int(-2, 4);
    case 'd':
      return digits(r);
    case 'e':
      return Array.from({ length: r.int(0, 4) }, () => digits(r));
    default:
      return sample(r, TYPES[letter]!, hints);
  }
}

const digits = (r: Random): string =>
  r.chance(0.06) ? word(r) : `${r.chance(0.08) ? '-' : ''}${r.chance(0.5) ? r.int(0, 99) : r.int(0, 9999)}`;

/** A constant in the place of an operand, where people write one. */
function constantOf(r: Random, letter: string): string | null {
  const type = TYPES[letter]!;
  if (letter === 'N') return String(r.int(1, 3));
  if (letter === 'j') return String(r.pick([0, -1, 1, 2]));
  if (type === 'int') return String(r.int(0, 12));
  if (type === 'str' || type === 'ch') return quote(r.chance(0.6) ? charValue(r) : word(r));
  return null;
}

/** The plain letter of a type: an operand of it has to fit nothing. */
const short = (type: Ty): string => Object.entries(TYPES).find(([, t]) => t === type)![0];
