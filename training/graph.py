"""The model as an ONNX graph for `src/model`: hand-built, so that decoding many short branches of one long
prefix is cheap, and so that the weights stay in `model.safetensors` (external data by offset).

Keys and values come in two parts: `shared` [heads, S, width], one prefix that all rows of the batch have in
common and that is never copied, and `past` [heads, B, P, width], each row's own. Which of them a new token
may attend to is said by `bias`, added to the scores; causality is the caller's too.

inputs   input_ids [B, T] int64 · before [B, lookback] int64: the tokens before, the nearest last · position_ids [B, T] int64 · last [B] int64: index in 0..T-1 whose logits are wanted
         bias [1, B, T, S+P+T] float32 · shared.{i}.key/value · past.{i}.key/value
outputs  logits [B, vocabulary] float32 · present.{i}.key/value [heads, B, P+T, width], rotated keys
"""

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET = 23
WEIGHTS = "model.safetensors"


class Builder:
    def __init__(self, offsets: dict[str, tuple[int, int, list[int]]]):
        self.offsets = offsets
        self.nodes, self.initializers, self.count = [], {}, 0

    def op(self, kind: str, *inputs: str, outputs: int = 1, name: str = "", **attributes):
        """Adds a node; returns its output's name (a list where there are several)."""
        self.count += 1
        base = name or f"{kind.lower()}_{self.count}"
        made = [base] if outputs == 1 else [f"{base}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), made, **attributes))
        return made[0] if outputs == 1 else made

    def constant(self, value, dtype=np.int64) -> str:
        array = np.asarray(value, dtype)
        name = f"{array.dtype}_{'x'.join(map(str, array.shape))}_{hashlib.sha256(array.tobytes()).hexdigest()[:12]}"
        if name not in self.initializers:
            self.initializers[name] = numpy_helper.from_array(array, name)
        return name

    def weight(self, name: str) -> str:
        """A float16 tensor lying in the safetensors file, as float32. Folded into a constant when loaded."""
        if name not in self.initializers:
            offset, length, shape = self.offsets[name]
            tensor = TensorProto(name=name, data_type=TensorProto.FLOAT16, dims=shape, data_location=TensorProto.EXTERNAL)
            for key, value in (("location", WEIGHTS), ("offset", offset), ("length", length)):
                tensor.external_data.add(key=key, value=str(value))
            self.initializers[name] = tensor
        return self.op("Cast", name, to=TensorProto.FLOAT)

    def linear(self, x: str, *weights: str) -> str:
        """x times the transposed weights [out, in], several side by side as one product."""
        w = weights[0] if len(weights) == 1 else self.op("Concat", *weights, axis=0)
        return self.op("MatMul", x, self.op("Transpose", w, perm=[1, 0]))


def tensor_offsets(path: Path) -> dict[str, tuple[int, int, list[int]]]:
    """Where each tensor of a safetensors file lies: offset from the file's start, length in bytes, shape."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        header = json.loads(file.read(size))
    return {
        name: (8 + size + entry["data_offsets"][0], entry["data_offsets"][1] - entry["data_offsets"][0], entry["shape"])
        for name, entry in header.items()
        if name != "__metadata__"
    }


def build_graph(config: dict, folder: Path) -> onnx.ModelProto:
    """`config` as in config.json; `folder` holds the safetensors file."""
    heads, hidden, layers = config["num_attention_heads"], config["hidden_size"], config["num_hidden_layers"]
    width, eps = hidden // heads, config["rms_norm_eps"]
    g = Builder(tensor_offsets(folder / WEIGHTS))
    theta = config.get("rope_parameters", {}).get("rope_theta") or config.get("rope_theta") or 10000.0
    frequency = g.constant(1.0 / theta ** (np.arange(0, width, 2, dtype=np.float64) / width), np.float32)
    angle = g.op("Mul", g.op("Unsqueeze", g.op("Cast", "position_ids", to=TensorProto.FLOAT), g.constant([2])), frequency)
    cos, sin = g.op("Cos", angle), g.op("Sin", angle)
    embedding = g.weight("model.embed_tokens.weight")
    x = looking_back(g, embedding, config.get("npdb_lookback", 0))
    # Shapes that depend on the batch, computed once.
    ids_shape, shared_shape, bias_shape = g.op("Shape", "input_ids"), g.op("Shape", "shared.0.key"), g.op("Shape", "bias")
    shared_length = g.op("Slice", shared_shape, g.constant([1]), g.constant([2]))
    scores_shape = g.op("Concat", g.constant([heads]), ids_shape, shared_length, axis=0)
    own_length = g.op("Sub", g.op("Slice", bias_shape, g.constant([3]), g.constant([4])), shared_length)
    lengths = g.op("Concat", shared_length, own_length, axis=0)
    mixed_shape = g.op("Concat", g.constant([heads]), ids_shape, g.constant([width]), axis=0)
    flat_shape = g.constant([heads, -1, width])
    for i in range(layers):
        x = layer(g, x, i, heads, width, hidden, eps, cos, sin, scores_shape, lengths, mixed_shape, flat_shape)
    rows = g.op("GatherND", x, g.op("Unsqueeze", "last", g.constant([1])), batch_dims=1)
    final = g.op("RMSNormalization", rows, g.weight("model.norm.weight"), axis=-1, epsilon=eps)
    g.op("MatMul", final, g.op("Transpose", embedding, perm=[1, 0]), name="logits")
    return finish(g, config, heads, width, layers)


def looking_back(g: Builder, embedding: str, lookback: int) -> str:
    """Embeddings [B, T, hidden] of the new tokens, each with its predecessors' through their matrices."""
    if lookback == 0:
        return g.op("Gather", embedding, "input_ids", axis=0)
    every = g.op("Gather", embedding, g.op("Concat", "before", "input_ids", axis=1), axis=0)
    length = g.op("Slice", g.op("Shape", "input_ids"), g.constant([1]), g.constant([2]))
    x = None
    for k in range(lookback + 1):
        start = g.constant([lookback - k])
        part = g.op("Slice", every, start, g.op("Add", start, length), g.constant([1]))
        part = part if k == 0 else g.linear(part, g.weight(f"lookback.{k - 1}.weight"))
        x = part if x is None else g.op("Add", x, part)
    return x


def layer(g: Builder, x, i, heads, width, hidden, eps, cos, sin, scores_shape, lengths, mixed_shape, flat_shape) -> str:
    at = f"model.layers.{i}."
    normed = g.op("RMSNormalization", x, g.weight(at + "input_layernorm.weight"), axis=-1, epsilon=eps)
    scaled = g.op("Mul", g.weight(at + "self_attn.q_proj.weight"), g.constant(width**-0.5, np.float32))
    together = g.linear(normed, scaled, g.weight(at + "self_attn.k_proj.weight"), g.weight(at + "self_attn.v_proj.weight"))
    qk, v = g.op("Split", together, g.constant([2 * hidden, hidden]), axis=-1, outputs=2)
    turned = g.op("RotaryEmbedding", qk, cos, sin, num_heads=2 * heads)
    by_head = g.op("Transpose", g.op("Reshape", turned, g.constant([0, 0, 2 * heads, width])), perm=[2, 0, 1, 3])
    q, k = g.op("Split", by_head, g.constant([heads, heads]), axis=0, outputs=2)
    v = g.op("Transpose", g.op("Reshape", v, g.constant([0, 0, heads, width])), perm=[2, 0, 1, 3])
    k = g.op("Concat", f"past.{i}.key", k, axis=2, name=f"present.{i}.key")
    v = g.op("Concat", f"past.{i}.value", v, axis=2, name=f"present.{i}.value")
    # Rows of the batch stand side by side against the shared prefix: its keys are read once for all of them.
    apart = g.op("MatMul", g.op("Reshape", q, flat_shape), g.op("Transpose", f"shared.{i}.key", perm=[0, 2, 1]))
    own = g.op("MatMul", q, g.op("Transpose", k, perm=[0, 1, 3, 2]))
    scores = g.op("Add", g.op("Concat", g.op("Reshape", apart, scores_shape), own, axis=3), "bias")
    p_shared, p_own = g.op("Split", g.op("Softmax", scores, axis=-1), lengths, axis=3, outputs=2)
    flat = g.op("Reshape", p_shared, g.op("Concat", g.constant([heads, -1]), g.op("Slice", lengths, g.constant([0]), g.constant([1])), axis=0))
    mixed = g.op("Add", g.op("Reshape", g.op("MatMul", flat, f"shared.{i}.value"), mixed_shape), g.op("MatMul", p_own, v))
    joined = g.op("Reshape", g.op("Transpose", mixed, perm=[1, 2, 0, 3]), g.constant([0, 0, hidden]))
    x = g.op("Add", x, g.linear(joined, g.weight(at + "self_attn.o_proj.weight")))
    normed = g.op("RMSNormalization", x, g.weight(at + "post_attention_layernorm.weight"), axis=-1, epsilon=eps)
    both = g.linear(normed, g.weight(at + "mlp.gate_proj.weight"), g.weight(at + "mlp.up_proj.weight"))
    gate, up = g.op("Split", both, num_outputs=2, axis=-1, outputs=2)
    active = g.op("Mul", g.op("Mul", gate, g.op("Sigmoid", gate)), up)
    return g.op("Add", x, g.linear(active, g.weight(at + "mlp.down_proj.weight")))


def finish(g: Builder, config: dict, heads: int, width: int, layers: int) -> onnx.ModelProto:
    value = helper.make_tensor_value_info
    inputs = [
        value("input_ids", TensorProto.INT64, ["B", "T"]),
        value("position_ids", TensorProto.INT64, ["B", "T"]),
        value("last", TensorProto.INT64, ["B"]),
        value("bias", TensorProto.FLOAT, [1, "B", "T", "all"]),
    ]
    if config.get("npdb_lookback"):
        inputs.append(value("before", TensorProto.INT64, ["B", config["npdb_lookback"]]))
    outputs = [value("logits", TensorProto.FLOAT, ["B", config["vocab_size"]])]
    for i in range(layers):
        for part in ("key", "value"):
            inputs.append(value(f"shared.{i}.{part}", TensorProto.FLOAT, [heads, "S", width]))
            inputs.append(value(f"past.{i}.{part}", TensorProto.FLOAT, [heads, "B", "P", width]))
            outputs.append(value(f"present.{i}.{part}", TensorProto.FLOAT, [heads, "B", "P+T", width]))
    graph = helper.make_graph(g.nodes, "npdb", inputs, outputs, list(g.initializers.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=10, producer_name="npdb")
