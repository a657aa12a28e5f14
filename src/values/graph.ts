/**
 * @file Shared objects. `resolve` replaces `*1` by the object labelled `&1` (the result may be cyclic: walk
 * it with a budget); `label` is the inverse, by object identity, as the renderer does it.
 */
import type { Value } from './types.ts';

export type Container = Extract<Value, { type: 'list' | 'tuple' | 'set' | 'dict' | 'call' }>;

/** Calls that are immutable objects, or whose argument is a part of the object rather than an object of its own. */
const IMMUTABLE =
  /^(frozenset|range|slice|Decimal|Fraction|UUID|(Pure)?(Posix|Windows)Path|datetime\.\w+|dict_(keys|values|items))$/;
const WRAPPERS = /^(frozenset|deque|defaultdict|Counter|OrderedDict|bytearray|dict_(keys|values|items))$/;

export function isContainer(value: Value): value is Container {
  return ['list', 'tuple', 'set', 'dict', 'call'].includes(value.type);
}

/** Everything one level below. */
export function parts(value: Value): readonly Value[] {
  switch (value.type) {
    case 'list':
    case 'tuple':
    case 'set':
      return value.items;
    case 'dict':
      return value.entries.flat();
    case 'call':
      return [...value.args, ...value.fields.map(([, field]) => field)];
    default:
      return [];
  }
}

/** A container with each part replaced. */
export function mapParts(value: Value, change: (part: Value) => Value): Value {
  switch (value.type) {
    case 'list':
    case 'tuple':
    case 'set':
      return { ...value, items: value.items.map(change) };
    case 'dict':
      return { ...value, entries: value.entries.map(([key, item]) => [change(key), change(item)] as const) };
    case 'call':
      return {
        ...value,
        args: value.args.map(change),
        fields: value.fields.map(([name, field]) => [name, change(field)] as const),
      };
    default:
      return value;
  }
}

/** Labels become object identity. An alias without its label stays an alias. */
export function resolve(value: Value): Value {
  return resolveIn(value, new Map());
}

function resolveIn(value: Value, known: Map<number, Value>): Value {
  if (value.type === 'alias') return known.get(value.anchor) ?? value;
  if (!isContainer(value) && !('anchor' in value)) return value;
  const { anchor, ...rest } = value as Container;
  const shell = { ...rest } as Value;
  if (anchor !== undefined) known.set(anchor, shell);
  // The shell must exist before its parts, which may mean it; nobody sees it before it is filled.
  Object.assign(
    shell,
    mapParts(rest as Value, (part) => resolveIn(part, known)),
  );
  return shell;
}

/** Whether the renderer labels this object when it meets it twice. */
export function isLabelled(value: Value): boolean {
  if (value.type === 'call') return !IMMUTABLE.test(value.name);
  return value.type === 'list' || value.type === 'dict' || value.type === 'set';
}

/** Object identity becomes labels, numbered by first appearance. The value may be cyclic. */
export function label(value: Value): Value {
  const met = new Set<Value>();
  const shared = new Set<Value>();
  const count = (object: Value, own: boolean): void => {
    if (own && isLabelled(object)) {
      if (met.has(object)) {
        shared.add(object);
        return;
      }
      met.add(object);
    }
    const inside = isWrapper(object);
    for (const [i, part] of parts(object).entries()) count(part, !(inside && i === lastArg(object)));
  };
  count(value, true);
  if (shared.size === 0) return value;
  const numbers = new Map<Value, number>();
  const write = (object: Value): Value => {
    const known = numbers.get(object);
    if (known !== undefined) return { type: 'alias', anchor: known };
    if (!shared.has(object)) return mapParts(object, write);
    const anchor = numbers.size + 1;
    numbers.set(object, anchor);
    return { ...mapParts(object, write), anchor } as Value;
  };
  return write(value);
}

function isWrapper(value: Value): boolean {
  return value.type === 'call' && WRAPPERS.test(value.name);
}

/** `defaultdict(<class 'int'>, {...})`: the contents are the last argument. */
function lastArg(value: Value): number {
  return value.type === 'call' ? value.args.length - 1 : -1;
}
