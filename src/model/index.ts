export type { Backend, KeyValues, ModelShape, Pass, PassResult } from './backend.ts';
export { CachedModel } from './cached.ts';
export { choosing, type FakeModel, type FakeOptions, fakeModel } from './fake.ts';
export { MODEL_VERSION, type ModelMeta, parseMeta } from './meta.ts';
export { onnxBackend } from './onnx.ts';
export { type LoadedModel, modelOver } from './session.ts';
export type { LanguageModel, Sequence } from './types.ts';
