import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { GraphBuilder } from '../../src/engines/embeddings/universal-sentence-encoder/graph-builder.js';

const words = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'query', 'red', 'green', 'blue', 'apple', 'leaf', 'sky'];
/** `TensorProto.DataType` */
const floatType = 1;
const [unknownId, clsId, sepId] = [1, 2, 3];

export const tinyModelDimensions = 4;
export const tinyModelMaxTokens = 16;

/** One distinct row per word. */
const embeddings = words.map((_, row) =>
  Array.from({ length: tinyModelDimensions }, (_, column) => Math.fround(Math.sin(1 + row * 3 + column * 2))),
);

/** Writes a sentence-transformers model in ONNX format, small enough to compute its results in a test. */
export async function writeTinyModel(folder: string, weightsFile = 'model.onnx'): Promise<void> {
  const config = {
    model_type: 'bert',
    architectures: ['BertModel'],
    hidden_size: tinyModelDimensions,
    max_position_embeddings: tinyModelMaxTokens,
    pad_token_id: 0,
  };
  await mkdir(path.join(folder, 'onnx'), { recursive: true });
  await writeFile(path.join(folder, 'config.json'), JSON.stringify(config));
  await writeFile(path.join(folder, 'tokenizer.json'), JSON.stringify(tokenizer()));
  const tokenizerConfig = { tokenizer_class: 'PreTrainedTokenizerFast', model_max_length: 512, unk_token: '[UNK]' };
  await writeFile(path.join(folder, 'tokenizer_config.json'), JSON.stringify(tokenizerConfig));
  await writeFile(path.join(folder, 'onnx', weightsFile), buildGraph());
}

/** Returns the last hidden state for each token of a text: its embedding plus the mean of all. */
export function tinyModelTokens(text: string): number[][] {
  const ids = text.split(' ').map((word) => words.indexOf(word));
  const own = [clsId, ...ids.map((id) => (id === -1 ? unknownId : id)), sepId].map((id) => embeddings[id] ?? []);
  const mean = meanOf(own);
  return own.map((vector) => vector.map((value, dimension) => value + (mean[dimension] ?? 0)));
}

export function meanOf(vectors: number[][]): number[] {
  return Array.from({ length: tinyModelDimensions }, (_, dimension) => {
    return vectors.reduce((sum, vector) => sum + (vector[dimension] ?? 0), 0) / vectors.length;
  });
}

function tokenizer(): object {
  const special = (id: number) => ({
    id,
    content: words[id],
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  const template = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [0, unknownId, clsId, sepId].map(special),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [template('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, template('[SEP]')],
      pair: [],
      special_tokens: {
        '[CLS]': { id: '[CLS]', ids: [clsId], tokens: ['[CLS]'] },
        '[SEP]': { id: '[SEP]', ids: [sepId], tokens: ['[SEP]'] },
      },
    },
    decoder: null,
    model: { type: 'WordLevel', vocab: Object.fromEntries(words.map((word, id) => [word, id])), unk_token: '[UNK]' },
  };
}

/** Adds to each token's embedding the mean of those inside the attention mask, so unmasked padding changes results. */
function buildGraph(): Buffer {
  const graph = new GraphBuilder('tiny');
  const [ids, mask, types] = ['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
    graph.input(name, 'int64', ['batch', 'sequence']),
  ) as [string, string, string];
  const table = graph.constant([words.length, tinyModelDimensions], Float32Array.from(embeddings.flat()));
  const own = graph.apply('Gather', [table, ids]);
  const seen = graph.apply('Unsqueeze', [graph.apply('Cast', [mask], { to: floatType }), graph.integers(-1)]);
  const sum = graph.apply('ReduceSum', [graph.apply('Mul', [own, seen]), graph.integers(1)], { keepdims: 1 });
  const count = graph.apply('ReduceSum', [seen, graph.integers(1)], { keepdims: 1 });
  const mixed = graph.apply('Add', [own, graph.apply('Div', [sum, count])]);
  // All token types are 0, so this changes nothing, but the model can't run if an input is missing.
  const typesAsFloats = graph.apply('Unsqueeze', [graph.apply('Cast', [types], { to: floatType }), graph.integers(-1)]);
  graph.apply('Add', [mixed, typesAsFloats], {}, 'last_hidden_state');
  graph.output('last_hidden_state', 'float', ['batch', 'sequence', tinyModelDimensions]);
  return graph.build();
}
