/** @file The words every compact vocabulary has: what Python's grammar and its values fix. The rest is counted (`vocabulary.ts`). */
import { LONG_OPERATORS } from './lexer.ts';

const KEYWORDS =
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield match case';

/** Names that values bring in though no source spells them. */
const RUNTIME =
  'Exception ValueError TypeError IndexError KeyError AttributeError NameError UnboundLocalError RuntimeError StopIteration AssertionError ZeroDivisionError OverflowError RecursionError NotImplementedError ArithmeticError LookupError GeneratorExit SystemExit ImportError ModuleNotFoundError function bound method built module generator coroutine object locals lambda genexpr list_iterator str_iterator tuple_iterator range_iterator dict_keyiterator enumerate zip map filter reversed range bytearray deque defaultdict Counter OrderedDict frozenset Decimal Fraction maxlen digits nan inf';

/** Indentation steps, widest first. */
export const INDENTS: readonly string[] = [40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 2].map((n) => ' '.repeat(n));

/** What stands between the items of a value: by far the most frequent pairs of characters. */
export const SEPARATORS: readonly string[] = [', ', ': '];

export const FIXED_WORDS: readonly string[] = [
  ...KEYWORDS.split(' '),
  ...RUNTIME.split(' '),
  ...LONG_OPERATORS,
  ...INDENTS,
  ...SEPARATORS,
];

/** `maxSum_of2` -> `max` `Sum` `_` `of` `2`: where a name that is no word is split. */
export function nameParts(name: string): string[] {
  return name.match(/_+|\d+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{Lu}\d_]+|\p{Lu}/gu) ?? [];
}
