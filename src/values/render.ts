/**
 * @file The renderer of `src/python/tracer.py` over values: labels for objects met again, cuts by items,
 * characters, depth and leaves. What an evaluated expression or a typed literal would look like in a trace.
 */
import { isLabelled, mapParts } from './graph.ts';
import { sortElements } from './order.ts';
import type { Value } from './types.ts';

export interface RenderLimits {
  readonly items: number;
  readonly chars: number;
  readonly depth: number;
  readonly leaves: number;
}

/** The tracer's defaults (`docs/trace.md`). */
export const DEFAULT_LIMITS: RenderLimits = { items: 100, chars: 300, depth: 8, leaves: 400 };
const MAX_DIGITS = 640;
const CUT: Value = { type: 'cut' };

type Of<Type extends Value['type']> = Extract<Value, { type: Type }>;

/** The value without labels (`resolve`), possibly cyclic, to the tree that is written. */
export function render(value: Value, limits: RenderLimits = DEFAULT_LIMITS): Value {
  const renderer = new Renderer(limits);
  return renderer.number(renderer.put(value, 1));
}

class Renderer {
  readonly #limits: RenderLimits;
  #budget: number;
  /** Objects in order of appearance; the number is the place. */
  readonly #seen = new Map<Value, number>();
  readonly #shared = new Set<number>();

  constructor(limits: RenderLimits) {
    this.#limits = limits;
    this.#budget = limits.leaves;
  }

  put(value: Value, depth: number): Value {
    this.#budget -= 1;
    switch (value.type) {
      case 'int':
        return integer(value);
      case 'str': {
        const characters = Array.from(value.value);
        if (characters.length <= this.#limits.chars) return value;
        const shown = characters.slice(0, this.#limits.chars).join('');
        return { type: 'str', value: shown, cut: characters.length - this.#limits.chars + (value.cut ?? 0) };
      }
      case 'bytes': {
        const more = value.value.length - this.#limits.chars;
        if (more <= 0) return value;
        return {
          type: 'bytes',
          value: value.value.slice(0, this.#limits.chars),
          cut: more + (value.cut ?? 0),
        };
      }
      case 'list':
      case 'dict':
      case 'set':
      case 'tuple':
      case 'call':
        return this.#object(value, depth);
      default:
        return value;
    }
  }

  /** Places become labels, numbered by appearance among the shared ones. */
  number(value: Value): Value {
    const numbers = new Map([...this.#shared].sort((a, b) => a - b).map((place, i) => [place, i + 1]));
    const walk = (part: Value): Value => {
      if (part.type === 'alias') return { type: 'alias', anchor: numbers.get(part.anchor) ?? part.anchor };
      if (!('anchor' in part)) return mapParts(part, walk);
      const { anchor, ...rest } = part;
      const number = anchor === undefined ? undefined : numbers.get(anchor);
      const inner = mapParts(rest as Value, walk);
      return number === undefined ? inner : ({ ...inner, anchor: number } as Value);
    };
    return walk(value);
  }

  #object(value: Of<'list' | 'dict' | 'set' | 'tuple' | 'call'>, depth: number): Value {
    if (!isLabelled(value)) return this.#container(value, depth);
    const place = this.#seen.get(value);
    if (place !== undefined) {
      this.#shared.add(place);
      return { type: 'alias', anchor: place };
    }
    const anchor = this.#seen.size;
    this.#seen.set(value, anchor);
    const shown = this.#container(value, depth);
    return { ...shown, anchor } as Value;
  }

  #container(value: Of<'list' | 'dict' | 'set' | 'tuple' | 'call'>, depth: number): Value {
    switch (value.type) {
      case 'dict':
        return this.#mapping(value, depth);
      case 'call':
        return this.#call(value, depth);
      case 'set':
        return this.#sequence({ ...value, items: sortElements(value.items) }, depth);
      default:
        return this.#sequence(value, depth);
    }
  }

  #tooDeep(size: number, depth: number): boolean {
    return size > 0 && (depth > this.#limits.depth || this.#budget <= 0);
  }

  #sequence(value: Of<'list' | 'tuple' | 'set'>, depth: number): Value {
    const size = value.items.length + (value.cut ?? 0);
    if (this.#tooDeep(size, depth)) return CUT;
    const items = this.#elements(value.items, depth);
    return { type: value.type, items, ...cutAfter(items.length, size) };
  }

  #elements(items: readonly Value[], depth: number): Value[] {
    const shown: Value[] = [];
    for (const [i, item] of items.entries()) {
      if (i >= this.#limits.items || this.#budget <= 0) break;
      shown.push(this.put(item, depth + 1));
    }
    return shown;
  }

  #mapping(value: Of<'dict'>, depth: number): Value {
    const size = value.entries.length + (value.cut ?? 0);
    if (this.#tooDeep(size, depth)) return CUT;
    const entries: (readonly [Value, Value])[] = [];
    for (const [i, [key, item]] of value.entries.entries()) {
      if (i >= this.#limits.items || this.#budget <= 0) break;
      entries.push([this.put(key, depth + 1), this.put(item, depth + 1)]);
    }
    return { type: 'dict', entries, ...cutAfter(entries.length, size) };
  }

  #call(value: Of<'call'>, depth: number): Value {
    const { name, args, fields } = value;
    const [last] = args.slice(-1);
    if (name === 'range' || isPlain(name)) return { type: 'call', name, args, fields };
    if (name === 'frozenset') {
      if (last?.type !== 'set') return value;
      const shown = this.#sequence({ ...last, items: sortElements(last.items) }, depth);
      return shown.type === 'cut' ? CUT : { type: 'call', name, args: [shown], fields };
    }
    // What a builtin's subclass, a deque, a view wraps is a part of it: no object of its own, no deeper.
    if (last && args.length === (name === 'defaultdict' ? 2 : 1) && isContents(name, last)) {
      const before = args.slice(0, -1).map((arg) => this.put(arg, depth + 1));
      const contents = this.#container(last, /^dict_/.test(name) ? depth + 1 : depth);
      if (/^(deque|bytearray)$/.test(name)) return { type: 'call', name, args: [contents], fields };
      return { type: 'call', name, args: [...before, contents], ...this.#fields(value, depth) };
    }
    if (this.#tooDeep(args.length + fields.length + (value.argsCut ?? 0) + (value.cut ?? 0), depth))
      return CUT;
    const shown = this.#elements(args, depth);
    const missing = args.length - shown.length + (value.argsCut ?? 0);
    const rest = this.#fields(value, depth);
    // With no fields to follow, the arguments' mark is the call's.
    if (missing === 0 || (fields.length === 0 && value.argsCut === undefined))
      return { type: 'call', name, args: shown, ...rest, ...cutAfter(0, missing + (rest.cut ?? 0)) };
    return { type: 'call', name, args: shown, argsCut: missing, ...rest };
  }

  #fields(value: Of<'call'>, depth: number): { fields: (readonly [string, Value])[]; cut?: number } {
    const fields: (readonly [string, Value])[] = [];
    for (const [i, [name, field]] of value.fields.entries()) {
      if (i >= this.#limits.items || this.#budget <= 0) break;
      fields.push([name, this.put(field, depth + 1)]);
    }
    return { fields, ...cutAfter(fields.length, value.fields.length + (value.cut ?? 0)) };
  }
}

/** Types whose own `repr` is the text. */
function isPlain(name: string): boolean {
  return /^(Decimal|Fraction|UUID|(Pure)?(Posix|Windows)Path|datetime\.\w+|bytearray)$/.test(name);
}

/** An exception's arguments are objects of their own; what other calls hold in brackets is their contents. */
function isContents(name: string, last: Value): last is Of<'list' | 'dict' | 'set' | 'tuple'> {
  return (
    /^(list|dict|set|tuple)$/.test(last.type) &&
    !/(Error|Exception|Exit|Interrupt|Warning|Iteration)$/.test(name) &&
    name !== 'slice'
  );
}

function integer(value: Of<'int'>): Value {
  const digits = value.value.toString().replace('-', '').length;
  return digits > MAX_DIGITS ? { type: 'opaque', text: `int ${digits} digits` } : value;
}

function cutAfter(shown: number, size: number): { cut?: number } {
  return size > shown ? { cut: size - shown } : {};
}
