export { CODEC_NAMES, type Language, languageOf } from './codecs.ts';
export { compactCodec } from './compact/codec.ts';
export { CompactTokenizer, compactTokenizer, type TokenizerFile } from './compact/tokenizer.ts';
export { VocabularyMask } from './mask.ts';
export { paperCodec } from './paper/codec.ts';
export { paperTokenizer } from './paper/tokenizer.ts';
export { encodeIds, joinPieces, showPieces, spellsSpecial } from './pieces.ts';
export type * from './types.ts';
