import { type Arguments, bind, countArgument, textArgument } from './arguments.ts';
import { floatDivmod, floorDivision, modulo, numeric, toFloat } from './arithmetic.ts';
import { classOf } from './attributes.ts';
import { isInstance } from './classes.ts';
import { compare } from './comparison.ts';
import { convert } from './conversions.ts';
import { halfEven, roundFloat } from './decimal.ts';
import { formatItem } from './format-spec.ts';
import {
  asIndex,
  asValue,
  bool,
  characters,
  float,
  hidden,
  type Item,
  type Iter,
  int,
  isBuiltin,
  isRange,
  lengthOf,
  list,
  rangeLength,
  rangeParts,
  str,
  truthOf,
  tuple,
  typeName,
  whole,
} from './items.ts';
import { each, hashKey, iterate, toBag } from './iterate.ts';
import { all, filter, mapped, pairs, total, zipped } from './iterators.ts';
import { binary } from './operators.ts';
import { PythonError, type Run, typeError, Unknown, valueError } from './run.ts';
import { sorted } from './sorting.ts';
import { valueText } from './text.ts';

/** How builtins call what they are given (`key=`, `map`). */
export type Caller = (of: Item, args: readonly Item[]) => Item;
type Builtin = (run: Run, args: Arguments, call: Caller) => Item;

/** Undefined where the name is no callable known here. */
export function builtin(name: string): Builtin | undefined {
  return Object.hasOwn(BUILTINS, name) ? BUILTINS[name] : (_run, args) => convert(_run, name, args);
}

const BUILTINS: Readonly<Record<string, Builtin>> = {
  abs: (_, args) => {
    const [x] = bind(args, 'x') as [Item];
    const value = numeric(x);
    if (typeof value === 'bigint') return int(value < 0n ? -value : value);
    if (value !== undefined) return float(Math.abs(value));
    if (x.type === 'complex' || !isBuiltin(x)) throw hidden(x);
    throw typeError(`bad operand type for abs(): '${typeName(x)}'`);
  },
  all: (run, args) => bool(all(run, bind(args, 'iterable')[0] as Item, true)),
  any: (run, args) => bool(!all(run, bind(args, 'iterable')[0] as Item, false)),
  ascii: (_, args) => {
    const text = valueText(asValue(bind(args, 'obj')[0] as Item));
    if (/[^\x00-\x7f]/.test(text)) throw new Unknown('ascii of such a text is not evaluated here');
    return str(text);
  },
  bin: (_, args) => based(args, 2, '0b'),
  oct: (_, args) => based(args, 8, '0o'),
  hex: (_, args) => based(args, 16, '0x'),
  callable: (_, args) => {
    const [x] = bind(args, 'obj') as [Item];
    if (
      x.type === 'function' ||
      (x.type === 'opaque' && /^(class '|function |bound method |built-in function )/.test(x.text))
    )
      return bool(true);
    if (x.type === 'iterator' || (isBuiltin(x) && x.type !== 'opaque')) return bool(false);
    throw hidden(x);
  },
  chr: (_, args) => {
    const code = countArgument(bind(args, 'i')[0]) ?? 0;
    if (Math.abs(code) >= 2 ** 31) throw new Unknown('the message depends on the machine');
    if (code < 0 || code > 0x10ffff) throw valueError('chr() arg not in range(0x110000)');
    return str(String.fromCodePoint(code));
  },
  divmod: (_, args) => {
    const [x, y] = bind(args, 'x', 'y') as [Item, Item];
    const [a, b] = [numeric(x), numeric(y)];
    if (a === undefined || b === undefined) throw new Unknown('divmod of these is not evaluated here');
    if (typeof a === 'bigint' && typeof b === 'bigint')
      return tuple([int(floorDivision(a, b)), int(modulo(a, b))]);
    const [quotient, rest] = floatDivmod(toFloat(a), toFloat(b), 'float divmod()');
    return tuple([float(quotient), float(rest)]);
  },
  enumerate: (run, args) => {
    const [items, start] = bind(args, 'iterable', 'start?');
    return pairs(run, items as Item, BigInt(countArgument(start) ?? 0));
  },
  filter: (run, args, call) => filter(run, ...(bind(args, 'function', 'iterable') as [Item, Item]), call),
  format: (_, args) => {
    const [x, spec] = bind(args, 'value', 'spec?');
    return str(formatItem(x as Item, textArgument(spec) ?? ''));
  },
  hash: (_, args) => {
    const value = numeric(bind(args, 'obj')[0] as Item);
    if (typeof value !== 'bigint' || value < 0n || value >= 2n ** 31n - 1n)
      throw new Unknown('a hash differs between runs');
    return int(value);
  },
  isinstance: (_, args) => {
    const [x, classes] = bind(args, 'obj', 'classes') as [Item, Item];
    return bool(isInstance(x, classes));
  },
  len: (_, args) => {
    const [x] = bind(args, 'obj') as [Item];
    const length = lengthOf(x);
    if (length === undefined) throw typeError(`object of type '${typeName(x)}' has no len()`);
    return int(length);
  },
  map: (run, { args, keywords }, call) => {
    const [of, ...sources] = args;
    if (of === undefined || sources.length === 0 || keywords.size > 0)
      throw new Unknown('the call has other arguments');
    return mapped(run, of, sources, call);
  },
  max: (run, args, call) => extreme(run, args, call, '>'),
  min: (run, args, call) => extreme(run, args, call, '<'),
  ord: (_, args) => {
    const [x] = bind(args, 'c') as [Item];
    if (x.type !== 'str') {
      if (!isBuiltin(x) || x.type === 'bytes') throw hidden(x);
      throw typeError(`ord() expected string of length 1, but ${typeName(x)} found`);
    }
    const all = characters(whole(x).value);
    if (all.length !== 1)
      throw typeError(`ord() expected a character, but string of length ${all.length} found`);
    return int(all[0]?.codePointAt(0) ?? 0);
  },
  pow: (run, args) => {
    const [base, exponent, mod] = bind(args, 'base', 'exp', 'mod?') as [Item, Item, Item?];
    if (mod === undefined) return binary(run, '**', base, exponent);
    return modularPower(run, base, exponent, mod);
  },
  repr: (_, args) => str(valueText(asValue(bind(args, 'obj')[0] as Item))),
  reversed: (run, args) => reversed(run, bind(args, 'sequence')[0] as Item),
  round: (_, args) => {
    const [x, digits] = bind(args, 'number', 'ndigits?') as [Item, Item?];
    return rounded(x, countArgument(digits));
  },
  sorted: (run, args, call) => {
    const [items, key, reverse] = bind(args, 'iterable', '|', 'key?', 'reverse?') as [Item, Item?, Item?];
    const { items: all, ordered } = toBag(run, items);
    const entries = all.map((item) => ({ key: key ? call(key, [item]) : item, item }));
    const result = sorted(run, entries, reverse !== undefined && truthOf(reverse));
    if (!ordered && key !== undefined)
      distinct(
        run,
        entries.map((entry) => entry.key),
      );
    return list(result);
  },
  sum: (run, args) => {
    const [items, start] = bind(args, 'iterable', 'start?') as [Item, Item?];
    return total(run, items, start ?? int(0));
  },
  type: (_, args) => classOf(asValue(bind(args, 'obj')[0] as Item)),
  zip: (run, { args, keywords }) => {
    if (keywords.size > 0) throw new Unknown('strict is not evaluated here');
    return zipped(run, args);
  },
};

function based(args: Arguments, base: number, prefix: string): Item {
  const [x] = bind(args, 'number') as [Item];
  const value = asIndex(x);
  if (value === undefined) {
    if (!isBuiltin(x)) throw hidden(x);
    throw typeError(`'${typeName(x)}' object cannot be interpreted as an integer`);
  }
  return str(`${value < 0n ? '-' : ''}${prefix}${(value < 0n ? -value : value).toString(base)}`);
}

function extreme(run: Run, { args, keywords }: Arguments, call: Caller, op: '<' | '>'): Item {
  for (const name of keywords.keys())
    if (name !== 'key' && name !== 'default') throw new Unknown(`the argument ${name} is not known here`);
  const name = op === '>' ? 'max' : 'min';
  const [first, ...more] = args;
  if (first === undefined) throw typeError(`${name} expected at least 1 argument, got 0`);
  if (more.length > 0 && keywords.has('default')) throw new Unknown('the call has other arguments');
  const key = keywords.get('key');
  const { items, ordered } =
    more.length > 0 ? { items: args.map(asValue), ordered: true } : toBag(run, first);
  const entries = items.map((item) => ({ item, key: key && key.type !== 'none' ? call(key, [item]) : item }));
  let best = entries[0];
  if (best === undefined) {
    const missing = keywords.get('default');
    if (missing === undefined) throw valueError(`${name}() arg is an empty sequence`);
    return missing;
  }
  for (const entry of entries.slice(1)) if (compare(run, op, entry.key, best.key)) best = entry;
  if (!ordered) {
    const winner = best;
    if (entries.some((entry) => entry !== winner && !compare(run, op, winner.key, entry.key)))
      throw new Unknown('the order of a set is not known');
  }
  return best.item;
}

/** With ties, the result would depend on an unknown order. */
function distinct(run: Run, keys: readonly Item[]): void {
  run.tick(keys.length);
  const seen = new Set(keys.map((key) => hashKey(asValue(key))));
  if (seen.size < keys.length) throw new Unknown('the order of a set is not known');
}

function reversed(run: Run, of: Item): Iter {
  // What such an iterator's type is called, where it is known.
  const kinds: Readonly<Record<string, string>> = {
    list: 'list_reverseiterator',
    str: 'reversed',
    tuple: 'reversed',
  };
  const iter = (items: readonly Item[]): Iter => ({
    type: 'iterator',
    kind: kinds[of.type] ?? 'iterator',
    source: items[Symbol.iterator](),
    ordered: true,
  });
  if (isRange(of)) {
    const [start, , step] = rangeParts(of) ?? [0n, 0n, 1n];
    const length = rangeLength(of);
    run.tick(length);
    return iter(Array.from({ length }, (_, i) => int(start + BigInt(length - 1 - i) * step)));
  }
  if (
    /^(list|tuple|str|dict|bytes)$/.test(of.type) ||
    (of.type === 'call' && isBuiltin(of) && of.name !== 'frozenset')
  )
    return iter([...each(iterate(run, of))].reverse());
  if (!isBuiltin(of)) throw hidden(of);
  throw typeError(`'${typeName(of)}' object is not reversible`);
}

function rounded(x: Item, digits: number | undefined): Item {
  const value = numeric(x);
  if (typeof value === 'bigint') {
    if (digits === undefined || digits >= 0) return int(value);
    const unit = 10n ** BigInt(Math.min(-digits, 5000));
    return int(halfEven(value, unit) * unit);
  }
  if (value === undefined) {
    if (!isBuiltin(x) || x.type === 'complex') throw hidden(x);
    throw typeError(`type ${typeName(x)} doesn't define __round__ method`);
  }
  if (!Number.isFinite(value)) {
    if (digits !== undefined) return float(value);
    throw Number.isNaN(value)
      ? valueError('cannot convert float NaN to integer')
      : new PythonError('OverflowError', 'cannot convert float infinity to integer');
  }
  return digits === undefined ? int(halfEvenFloat(value)) : float(roundFloat(value, digits));
}

function halfEvenFloat(value: number): bigint {
  const floor = Math.floor(value);
  const rest = value - floor;
  const up = rest > 0.5 || (rest === 0.5 && floor % 2 !== 0);
  return BigInt(up ? floor + 1 : floor);
}

function modularPower(run: Run, base: Item, exponent: Item, mod: Item): Item {
  const [b, e, m] = [asIndex(base), asIndex(exponent), asIndex(mod)];
  if (b === undefined || e === undefined || m === undefined || e < 0n || m <= 0n)
    throw new Unknown('this power is not evaluated here');
  let result = 1n % m;
  let square = ((b % m) + m) % m;
  for (let rest = e; rest > 0n; rest >>= 1n) {
    run.tick(10);
    if (rest & 1n) result = (result * square) % m;
    square = (square * square) % m;
  }
  return int(result);
}
