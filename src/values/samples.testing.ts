/** @file Value texts and arbitrary values for this folder's tests. */
import fc from 'fast-check';
import { formatComplex, formatFloat } from './number.ts';
import type { Value } from './types.ts';

/** Every row of the table in `docs/trace.md`, as the renderer writes it. */
export const CANONICAL: readonly string[] = [
  'None',
  'True',
  'False',
  'Ellipsis',
  'NotImplemented',
  '0',
  '-1',
  '640',
  '12345678901234567890123',
  '<int 2533 digits>',
  '0.0',
  '-0.0',
  '1.5',
  '1e+16',
  '1e-07',
  '1.5e-05',
  '0.0001',
  '9999999999999998.0',
  '1.7976931348623157e+308',
  '5e-324',
  '0.30000000000000004',
  '123456.789',
  'nan',
  'inf',
  '-inf',
  '1j',
  '0j',
  '-0j',
  '(1+2j)',
  '(-0-2.5j)',
  '(nan+infj)',
  'nanj',
  '-infj',
  '(inf-1e+16j)',
  "''",
  "'abc'",
  `"it's"`,
  `'it\\'s "so"'`,
  "'a\\nb\\t\\\\'",
  "'\\x00\\x7f\\xa0\\xad'",
  "'é漢😀'",
  "'\\u200b\\ud800\\U000e0001'",
  "'abc'...+200",
  "b'a\\x00\\xff'...+3",
  `b"'"`,
  "b''",
  '[]',
  '[1, 2]',
  '[[], [[]]]',
  '(1,)',
  '()',
  '(1, 2)',
  '((1,), (1+2j))',
  "{'a': 1}",
  '{}',
  "{(1, 2): [3], 'x': {1}}",
  '{1, 2}',
  'set()',
  'frozenset({1})',
  'frozenset()',
  'L([1, 2])',
  'L([1, 2], a=1)',
  'P(x=1, y=2)',
  "bytearray(b'a')",
  'range(0, 3)',
  'slice(1, None, None)',
  '<memoryview>',
  'deque([1], maxlen=2)',
  "defaultdict(<class 'int'>, {'a': 1})",
  "Counter({'a': 2})",
  "dict_items([('a', 1)])",
  "Decimal('1.0')",
  'Fraction(1, 2)',
  'datetime.date(2020, 1, 1)',
  'datetime.timezone.utc',
  'datetime.time(1, 2, tzinfo=datetime.timezone.utc)',
  'datetime.timezone(datetime.timedelta(seconds=3600))',
  'datetime.timedelta(days=-1, seconds=5)',
  "PosixPath('/a')",
  'Empty()',
  "ValueError('bad')",
  'f.<locals>.Point(x=1)',
  'Größe(é=1)',
  'nan(x=1)',
  'inf(x=nan, inf=inf)',
  'b(x=1)',
  'Falsey()',
  '<Color.RED: 1>',
  "<Op.LT: '<'>",
  `<Op.Q: "'>">`,
  '<function f.<locals>.g>',
  '<function <lambda>>',
  '<bound method A.f>',
  '<built-in function len>',
  "<class 'A'>",
  "<module 'math'>",
  '<generator g>',
  '<list_iterator>',
  '<unreadable T>',
  '&1 [*1]',
  '[&1 [], *1]',
  '[&1 ..., *1]',
  '&1 Node(next=&2 Node(next=*1), prev=*2)',
  '&1 {1: *1}',
  '[&10 set(), *10]',
  '[1, 2, ...+98]',
  '[...+98]',
  '(1, ...+3)',
  '(...+3)',
  '{..., ...+3}',
  "{'a': ..., ...+3}",
  '{1, ...+2}',
  'Point(x=1, ...+2)',
  'Point(x=..., y=...)',
  'Point(...+2)',
  'E(1, ...+5, x=2)',
  'E(...+1, ...+2)',
  'E(1, ...+5, x=2, ...+1)',
  '...',
  '(...,)',
  '[...]',
  '{...: ...}',
  "['a'...+5, 1]",
  "{'k'...+5: 'v'...+6}",
];

const name = fc.constantFrom(
  'A',
  'Point',
  'f.<locals>.B',
  'datetime.date',
  'nan',
  'inf',
  'b',
  'set',
  'Größe',
  'True_',
  'x1',
);
const field = fc.constantFrom('x', 'y', '_a', 'nan', 'b', 'é', 'Nonesuch');
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const awkward = fc.string({
  unit: fc.constantFrom("'", '"', '\\', '\n', '\x00', '\x7f', 'é', '\u200b', '😀', 'a', '<', '>'),
  maxLength: 8,
});
const string = fc.oneof(text, awkward);
const cut = fc.option(fc.integer({ min: 1, max: 100000 }), { nil: undefined, freq: 5 });
const double = fc.oneof(
  fc.double(),
  fc.double({ min: -1e3, max: 1e3, noNaN: true }),
  fc.integer({ min: -9, max: 9 }).map(Number),
);

function withCut<T extends object>(value: T, count: number | undefined): T {
  return count === undefined ? value : { ...value, cut: count };
}

function withAnchor<T extends object>(value: T, anchor: number | undefined): T {
  return anchor === undefined ? value : { ...value, anchor };
}

const anchor = fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined, freq: 6 });

/** Any value the table allows, up to some depth; not every one could come from a real object. */
export const anyValue: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => {
  const items = fc.array(tie('value'), { maxLength: 4 });
  return {
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'medium' },
      fc.oneof<fc.Arbitrary<Value>[]>(
        fc.constantFrom<Value>(
          { type: 'none' },
          { type: 'ellipsis' },
          { type: 'notimplemented' },
          { type: 'utc' },
          { type: 'cut' },
        ),
        fc.boolean().map((value) => ({ type: 'bool', value })),
        fc.oneof(fc.bigInt({ min: -100n, max: 100n }), fc.bigInt()).map((value) => ({ type: 'int', value })),
        double.map((value) => ({ type: 'float', value, text: formatFloat(value) })),
        fc
          .tuple(double, double)
          .map(([real, imag]) => ({ type: 'complex', text: formatComplex(real, imag) })),
        fc.tuple(string, cut).map(([value, count]) => withCut({ type: 'str', value }, count)),
        fc
          .tuple(fc.uint8Array({ maxLength: 8 }), cut)
          .map(([value, count]) => withCut({ type: 'bytes', value }, count)),
        fc.integer({ min: 1, max: 20 }).map((number) => ({ type: 'alias', anchor: number })),
        fc
          .constantFrom(
            'function f',
            'function <lambda>',
            'function f.<locals>.g',
            "class 'A'",
            'Color.RED: 1',
            "Op.LT: '<'",
            'list_iterator',
            'E.é: 1',
          )
          .map((opaque) => ({ type: 'opaque', text: opaque })),
      ),
      fc
        .tuple(items, cut, anchor)
        .map(([list, count, label]) => withAnchor(withCut({ type: 'list', items: list }, count), label)),
      fc.tuple(items, cut).map(([list, count]) => withCut({ type: 'tuple', items: list }, count)),
      fc
        .tuple(items, cut, anchor)
        // With nothing before its cut mark, `{...+3}` reads as a dict.
        .map(([list, count, label]) =>
          withAnchor(withCut({ type: 'set', items: list }, list.length === 0 ? undefined : count), label),
        ),
      fc
        .tuple(fc.array(fc.tuple(tie('value'), tie('value')), { maxLength: 3 }), cut, anchor)
        .map(([entries, count, label]) => withAnchor(withCut({ type: 'dict', entries }, count), label)),
      fc
        .tuple(name, items, fc.array(fc.tuple(field, tie('value')), { maxLength: 3 }), cut, anchor)
        .filter(
          ([called, args, fields, count]) =>
            called !== 'set' || args.length + fields.length > 0 || count !== undefined,
        )
        .map(([called, args, fields, count, label]) => {
          const whole = { type: 'call' as const, name: called, args, fields };
          // Arguments are cut apart from fields where fields follow.
          const half =
            fields.length > 0 && count !== undefined && count % 2 === 0
              ? { ...whole, argsCut: count }
              : whole;
          return withAnchor(withCut(half, count), label);
        }),
    ) as fc.Arbitrary<Value>,
  };
}).value;

/** Numbers from 0 to 1, the same for the same seed. */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
