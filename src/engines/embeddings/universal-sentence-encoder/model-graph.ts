import { GraphBuilder, type GraphValue } from './graph-builder.js';
import type { DenseWeights, LayerWeights, ModelWeights, NormWeights } from './model-weights.js';
import { dimensions, maxWindowTokens } from './model-shape.js';

const headCount = 4;
const tokenWidth = 256;
const normEpsilon = 1e-6;
/** Subtracted from attention scores. Large enough for the weight of padding to be exactly zero. */
const paddingPenalty = 1e9;

/**
 * Builds the encoder as a serialized ONNX model.
 *
 * Inputs: `ids`, int32 `[batch, tokens]`; `mask`, float `[batch, tokens]`, 1 for a token and 0 for padding.
 * Output: `embedding`, float `[batch, 512]`, each row of length 1.
 */
export function buildModelGraph(weights: ModelWeights): Buffer {
  const graph = new GraphBuilder('universal_sentence_encoder_lite');
  const ids = graph.input('ids', 'int32', ['batch', 'tokens']);
  const mask = graph.input('mask', 'float', ['batch', 'tokens']);
  const paddingBias = addPaddingBias(graph, mask);

  let hidden = addTokensWithPositions(graph, weights, ids);
  weights.layers.forEach((layer, index) => {
    const width = index === 0 ? tokenWidth : dimensions;
    const residual = index === 0 ? addDense(graph, hidden, weights.firstResidual) : hidden;
    const attended = addAttention(graph, layer, hidden, paddingBias, width);
    hidden = addFeedForward(graph, layer, graph.apply('Add', [attended, residual]));
  });

  const projected = graph.apply('Tanh', [addDense(graph, addMean(graph, hidden, mask), weights.output)]);
  const embedding = graph.output('embedding', 'float', ['batch', dimensions]);
  graph.apply('LpNormalization', [projected], { axis: -1, p: 2 }, embedding);
  return graph.build();
}

/** `[batch, 1, 1, tokens]`, added to attention scores: 0 for tokens, the negative penalty for padding. */
function addPaddingBias(graph: GraphBuilder, mask: GraphValue): GraphValue {
  const zeroOrMinusOne = graph.apply('Sub', [mask, graph.scalar(1)]);
  const bias = graph.apply('Mul', [zeroOrMinusOne, graph.scalar(paddingPenalty)]);
  return graph.apply('Unsqueeze', [bias, graph.integers(1, 2)]);
}

/** `[batch, tokens, 256]`: embeddings, scaled by two, plus positions. */
function addTokensWithPositions(graph: GraphBuilder, weights: ModelWeights, ids: GraphValue): GraphValue {
  const positions = graph.constant([maxWindowTokens, tokenWidth], positionSignal(weights.positionFrequencies.data));
  const tokenCount = graph.apply('Gather', [graph.apply('Shape', [ids]), graph.integers(1)], { axis: 0 });
  const usedPositions = graph.apply('Slice', [positions, graph.integers(0), tokenCount, graph.integers(0)]);
  const tokens = graph.apply('Gather', [graph.weight(weights.tokenEmbeddings), ids], { axis: 0 });
  return graph.apply('Add', [graph.apply('Mul', [tokens, graph.scalar(2)]), usedPositions]);
}

/** Sines in the first half of each row and cosines in the second. */
function positionSignal(frequencies: Float32Array): Float32Array<ArrayBuffer> {
  const signal = new Float32Array(maxWindowTokens * tokenWidth);
  for (let position = 0; position < maxWindowTokens; position += 1) {
    frequencies.forEach((frequency, index) => {
      signal[position * tokenWidth + index] = Math.sin(position * frequency);
      signal[position * tokenWidth + tokenWidth / 2 + index] = Math.cos(position * frequency);
    });
  }
  return signal;
}

function addAttention(
  graph: GraphBuilder,
  layer: LayerWeights,
  hidden: GraphValue,
  paddingBias: GraphValue,
  width: number,
): GraphValue {
  const headWidth = width / headCount;
  // 0 in the target shape of Reshape keeps the input's size, so batch and tokens stay dynamic.
  const perHead = graph.integers(0, 0, headCount, headWidth);
  const intoHeads = (value: GraphValue, perm: number[]): GraphValue =>
    graph.apply('Transpose', [graph.apply('Reshape', [value, perHead])], { perm });

  const normed = addNorm(graph, hidden, layer.attentionNorm);
  const [query, key, value] = graph.splitInThree(addDense(graph, normed, layer.queryKeyValue));
  const scaledQuery = graph.apply('Mul', [intoHeads(query, [0, 2, 1, 3]), graph.scalar(1 / Math.sqrt(headWidth))]);
  const scores = graph.apply('MatMul', [scaledQuery, intoHeads(key, [0, 2, 3, 1])]);
  const attention = graph.apply('Softmax', [graph.apply('Add', [scores, paddingBias])], { axis: -1 });
  const mixed = graph.apply('MatMul', [attention, intoHeads(value, [0, 2, 1, 3])]);
  const joined = graph.apply('Reshape', [
    graph.apply('Transpose', [mixed], { perm: [0, 2, 1, 3] }),
    graph.integers(0, 0, width),
  ]);
  return addDense(graph, joined, layer.attentionOutput);
}

function addFeedForward(graph: GraphBuilder, layer: LayerWeights, input: GraphValue): GraphValue {
  const normed = addNorm(graph, input, layer.feedForwardNorm);
  const expanded = graph.apply('Relu', [addDense(graph, normed, layer.expand)]);
  return graph.apply('Add', [addDense(graph, expanded, layer.contract), input]);
}

/** `[batch, 512]`: the mean over tokens, without padding. */
function addMean(graph: GraphBuilder, hidden: GraphValue, mask: GraphValue): GraphValue {
  const tokensOnly = graph.apply('Mul', [hidden, graph.apply('Unsqueeze', [mask, graph.integers(2)])]);
  const sum = graph.apply('ReduceSum', [tokensOnly, graph.integers(1)], { keepdims: 0 });
  const count = graph.apply('ReduceSum', [mask, graph.integers(1)], { keepdims: 1 });
  return graph.apply('Div', [sum, count]);
}

function addNorm(graph: GraphBuilder, input: GraphValue, norm: NormWeights): GraphValue {
  return graph.apply('LayerNormalization', [input, graph.weight(norm.scale), graph.weight(norm.bias)], {
    axis: -1,
    epsilon: { float: normEpsilon },
  });
}

function addDense(graph: GraphBuilder, input: GraphValue, { kernel, bias }: DenseWeights): GraphValue {
  // Some kernels are stored as 1 × 1 convolutions: [1, 1, inputs, outputs].
  const product = graph.apply('MatMul', [input, graph.weight(kernel, kernel.shape.slice(-2))]);
  return graph.apply('Add', [product, graph.weight(bias)]);
}
