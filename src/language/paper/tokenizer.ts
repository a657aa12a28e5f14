/**
 * @file A small vocabulary for `paper`: the compact tokenizer's rules and words, the paper's special tokens. Large models
 * bring their own, whose special tokens are added by name.
 */
import { CompactTokenizer, compactTokenizer } from '../compact/tokenizer.ts';
import { SPECIALS } from './specials.ts';

/** What stands between names and values in every object. */
const PUNCTUATION = ['": "', '{"..": ".."', '": null'];

export const paperTokenizer: CompactTokenizer = new CompactTokenizer(SPECIALS, [
  ...new Set([...compactTokenizer.words, ...PUNCTUATION]),
]);
