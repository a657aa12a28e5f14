/**
 * @file The backend on onnxruntime: names and shapes of the graph that `training/graph.py` writes. The
 * runtime (`onnxruntime-node` or `-web`) comes from outside.
 */
import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-node';
import type { Backend, KeyValues, ModelShape, Pass, PassResult } from './backend.ts';

/** All inputs and outputs of the graph, to be checked against a loaded session. */
export function graphNames(shape: ModelShape): { inputs: string[]; outputs: string[] } {
  const parts = (kind: string) =>
    Array.from({ length: shape.layers }, (_, i) => [`${kind}.${i}.key`, `${kind}.${i}.value`]).flat();
  return {
    inputs: [
      ...['input_ids', 'position_ids', 'last', 'bias'],
      ...(shape.lookback > 0 ? ['before'] : []),
      ...parts('shared'),
      ...parts('past'),
    ],
    outputs: ['logits', ...parts('present')],
  };
}

export function onnxBackend(
  session: InferenceSession,
  TensorClass: TensorConstructor,
  shape: ModelShape,
): Backend {
  const { heads, width, vocabularySize } = shape;
  const floats = (data: Float32Array, dims: readonly number[]): Tensor =>
    new TensorClass('float32', data, dims);
  const put = (feeds: Record<string, Tensor>, kind: string, data: KeyValues, dims: readonly number[]) => {
    data.forEach((values, i) => {
      feeds[`${kind}.${i >> 1}.${i % 2 === 0 ? 'key' : 'value'}`] = floats(values, dims);
    });
  };
  return {
    shape,
    async run(pass: Pass): Promise<PassResult> {
      const { rows, tokens, sharedLength, pastLength } = pass;
      const feeds: Record<string, Tensor> = {
        input_ids: new TensorClass('int64', pass.ids, [rows, tokens]),
        position_ids: new TensorClass('int64', pass.positions, [rows, tokens]),
        last: new TensorClass('int64', pass.last, [rows]),
        ...(shape.lookback > 0 && { before: new TensorClass('int64', pass.before, [rows, shape.lookback]) }),
        bias: floats(pass.bias, [1, rows, tokens, sharedLength + pastLength + tokens]),
      };
      put(feeds, 'shared', pass.shared, [heads, sharedLength, width]);
      put(feeds, 'past', pass.past, [heads, rows, pastLength, width]);
      const out = await session.run(feeds);
      const present = Array.from({ length: 2 * shape.layers }, (_, i) =>
        values(out[`present.${i >> 1}.${i % 2 === 0 ? 'key' : 'value'}`]),
      );
      const logits = values(out.logits);
      if (logits.length !== rows * vocabularySize) throw new Error(`internal: ${logits.length} logits`);
      return { logits, present };
    },
    close: () => session.release(),
  };
}

function values(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('internal: an output is missing');
  return tensor.data;
}
