/** @file A value's text, parsed. The renderer (`src/python/render.py`) and this table are twins: `docs/trace.md`. */

export type Value =
  /** `utc` is `datetime.timezone.utc`, the one object whose `repr` is a dotted name. */
  | { readonly type: 'none' | 'ellipsis' | 'notimplemented' | 'utc' }
  | { readonly type: 'bool'; readonly value: boolean }
  | { readonly type: 'int'; readonly value: bigint }
  /** `text` is kept: `1e+16`, `nan`, `-0.0`, `inf`. */
  | { readonly type: 'float'; readonly value: number; readonly text: string }
  | { readonly type: 'complex'; readonly text: string }
  | { readonly type: 'str'; readonly value: string; readonly cut?: number }
  | { readonly type: 'bytes'; readonly value: Uint8Array; readonly cut?: number }
  | Items<'list'>
  | Items<'tuple'>
  | Items<'set'>
  | {
      readonly type: 'dict';
      readonly entries: readonly (readonly [Value, Value])[];
      readonly cut?: number;
      readonly anchor?: number;
    }
  /** `Name(…)`: instances, exceptions, `deque([...])`, `frozenset({...})`, `Decimal('1')`, `range(0, 3)`. */
  | {
      readonly type: 'call';
      readonly name: string;
      readonly args: readonly Value[];
      /** Arguments not shown, where fields follow: `E(1, ...+5, x=2)`. */
      readonly argsCut?: number;
      readonly fields: readonly (readonly [string, Value])[];
      readonly cut?: number;
      readonly anchor?: number;
    }
  /** `<function f>`, `<class 'A'>`, `<list_iterator>`, `<Color.RED: 1>`: text within the brackets. */
  | { readonly type: 'opaque'; readonly text: string; readonly anchor?: number }
  /** `*1`: the object anchored `&1` earlier in this text. */
  | { readonly type: 'alias'; readonly anchor: number }
  /** `...`: nested deeper than shown, or past the leaf budget; `&5 ...` if the same object is met again. */
  | { readonly type: 'cut'; readonly anchor?: number };

interface Items<Type extends string> {
  readonly type: Type;
  readonly items: readonly Value[];
  readonly cut?: number;
  readonly anchor?: number;
}
