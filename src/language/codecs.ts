/** @file The two languages by name, each with the tokenizer of new small models. */
import { NpdbError } from '../common/errors.ts';
import { compactCodec } from './compact/codec.ts';
import { type CompactTokenizer, compactTokenizer } from './compact/tokenizer.ts';
import { paperCodec } from './paper/codec.ts';
import { paperTokenizer } from './paper/tokenizer.ts';
import type { Codec } from './types.ts';

export interface Language {
  readonly codec: Codec;
  readonly tokenizer: CompactTokenizer;
}

const LANGUAGES: ReadonlyMap<string, Language> = new Map([
  ['compact', { codec: compactCodec, tokenizer: compactTokenizer }],
  ['paper', { codec: paperCodec, tokenizer: paperTokenizer }],
]);

export const CODEC_NAMES: readonly string[] = [...LANGUAGES.keys()];

/** Throws `E_CODEC`. */
export function languageOf(name: string): Language {
  const language = LANGUAGES.get(name);
  if (!language) {
    throw new NpdbError(
      'E_CODEC',
      `There is no codec ${JSON.stringify(name)}.`,
      `Use one of: ${CODEC_NAMES.join(', ')}.`,
    );
  }
  return language;
}
