export { compactCodec } from './compact/codec.ts';
export { CompactTokenizer, compactTokenizer, type TokenizerFile } from './compact/tokenizer.ts';
export { VocabularyMask } from './mask.ts';
export { encodeIds, joinPieces, showPieces } from './pieces.ts';
export type * from './types.ts';
