import { readWeights, type WeightTensor } from './model-files.js';

/** One layer of the encoder. Kernels are `[inputs, outputs]`. */
export interface LayerWeights {
  readonly attentionNorm: NormWeights;
  readonly queryKeyValue: DenseWeights;
  readonly attentionOutput: DenseWeights;
  readonly feedForwardNorm: NormWeights;
  readonly expand: DenseWeights;
  readonly contract: DenseWeights;
}

export interface NormWeights {
  readonly scale: WeightTensor;
  readonly bias: WeightTensor;
}

export interface DenseWeights {
  readonly kernel: WeightTensor;
  readonly bias: WeightTensor;
}

/** Everything that the graph needs, under names that say what it is. */
export interface ModelWeights {
  /** `[tokens, 256]` */
  readonly tokenEmbeddings: WeightTensor;
  /** Frequencies of the sinusoidal position signal, `[1, 128]`. */
  readonly positionFrequencies: WeightTensor;
  /** Takes the first layer's 256-wide input to 512 for the residual connection. */
  readonly firstResidual: DenseWeights;
  readonly layers: readonly LayerWeights[];
  /** Takes the mean of all positions to the sentence's vector. */
  readonly output: DenseWeights;
}

const TRAINED = 'module/Encoder_en/';
const FOLDED = 'module_apply_default/Encoder_en/';
const TRANSFORMER = 'KonaTransformer/Encode/';
const CONCAT = '/ConcatPartitions/concat';

/** @throws when the folder does not hold this model. */
export function readModelWeights(modelFolder: string): ModelWeights {
  const weights = readWeights(modelFolder);
  const get = (name: string): WeightTensor => {
    const weight = weights.get(name);
    if (weight === undefined) throw new Error(`The embeddings model has no weight "${name}".`);
    return weight;
  };
  return {
    tokenEmbeddings: get('module/Embeddings_en'),
    positionFrequencies: get(
      `${FOLDED}${TRANSFORMER}TransformerStack/Layer_0/AddTimingSignal/TimingSignal/ExpandDims_1`,
    ),
    firstResidual: {
      kernel: get(`${FOLDED}${TRANSFORMER}Layer_0/TransformerLayer/dense/kernel${CONCAT}`),
      bias: get(`${FOLDED}${TRANSFORMER}Layer_0/TransformerLayer/dense/bias${CONCAT}`),
    },
    layers: [readLayer(get, 0), readLayer(get, 1)],
    output: {
      kernel: get(`${TRAINED}hidden_layers/tanh_layer_0/weights`),
      bias: get(`${TRAINED}hidden_layers/tanh_layer_0/bias`),
    },
  };
}

/** The names are those that TensorFlow gave after folding constants, hence their irregularity. */
function readLayer(get: (name: string) => WeightTensor, index: number): LayerWeights {
  const path = `${TRANSFORMER}Layer_${index}/TransformerLayer/`;
  const stackPath = `${FOLDED}${TRANSFORMER}TransformerStack/Layer_${index}/TransformerLayer/`;
  const norm = (name: string): NormWeights => ({
    scale: get(`${FOLDED}${path}${name}layer_norm/layer_norm_scale${CONCAT}`),
    bias: get(`${FOLDED}${path}${name}layer_norm/layer_norm_bias${CONCAT}`),
  });
  const attention = (name: string): DenseWeights => ({
    kernel: get(`${TRAINED}${path}MultiheadAttention/${name}/kernel/part_0`),
    bias: get(`${FOLDED}${path}MultiheadAttention/${name}/bias${CONCAT}`),
  });
  const feedForward = (name: string): DenseWeights => ({
    kernel: get(`${stackPath}FFN/${name}/Tensordot/Reshape_1`),
    bias: get(`${FOLDED}${path}FFN/${name}/bias${CONCAT}`),
  });
  return {
    attentionNorm: norm('layer_prepostprocess/'),
    queryKeyValue: attention('qkv_transform_single'),
    attentionOutput: attention('output_transform_single'),
    feedForwardNorm: norm('FFN/layer_prepostprocess/'),
    expand: feedForward('conv1'),
    contract: feedForward('conv2'),
  };
}
