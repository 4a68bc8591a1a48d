import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** One vector of two dimensions for each. */
const words = { '[PAD]': [9, 9], '[UNK]': [5, 5], red: [1, 2], green: [3, -4], blue: [0, 8], apple: [-2, 0] };

export interface StaticModelFiles {
  readonly tensors?: Record<string, Tensor>;
  readonly config?: object;
  readonly modules?: object;
  readonly tokenizer?: unknown;
  /** Replaces the whole file of the tensors. */
  readonly matrixFile?: Buffer;
}

interface Tensor {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly bytes: Buffer;
}

/** The matrix of the words. */
export const matrix = (): Tensor => floats([6, 2], Object.values(words).flat());

export const floats = (shape: readonly number[], values: readonly number[]): Tensor => ({
  dtype: 'F32',
  shape,
  bytes: Buffer.from(Float32Array.from(values).buffer),
});

/** Values of 16 bits. */
export const halves = (dtype: 'F16' | 'BF16', shape: readonly number[], bits: readonly number[]): Tensor => ({
  dtype,
  shape,
  bytes: Buffer.from(Uint16Array.from(bits).buffer),
});

export const integers = (values: readonly number[]): Tensor => ({
  dtype: 'I64',
  shape: [values.length],
  bytes: Buffer.from(BigInt64Array.from(values, BigInt).buffer),
});

/** Writes a model in model2vec's format: `tokenizer.json`, `config.json` and `model.safetensors`. */
export async function writeStaticModel(folder: string, files: StaticModelFiles = {}): Promise<void> {
  await mkdir(folder, { recursive: true });
  const write = (name: string, content: Buffer | string) => writeFile(path.join(folder, name), content);
  const { tensors = { embeddings: matrix() }, config = {}, modules, tokenizer = wordTokenizer() } = files;
  await write('model.safetensors', files.matrixFile ?? safetensors(tensors));
  await write('config.json', JSON.stringify(config));
  await write('tokenizer.json', typeof tokenizer === 'string' ? tokenizer : JSON.stringify(tokenizer));
  if (modules !== undefined) await write('modules.json', JSON.stringify(modules));
}

/** The file format: length of the header, header, and the bytes of all tensors. */
export function safetensors(tensors: Record<string, Tensor>): Buffer {
  let offset = 0;
  const header = Object.entries(tensors).map(([name, { dtype, shape, bytes }]) => {
    return [name, { dtype, shape, data_offsets: [offset, (offset += bytes.length)] }];
  });
  const json = JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(header) });
  return fileWith(json, Buffer.concat(Object.values(tensors).map(({ bytes }) => bytes)));
}

/** A file with this header. */
export function fileWith(header: string, data = Buffer.alloc(0)): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(header.length));
  return Buffer.concat([prefix, Buffer.from(header), data]);
}

function wordTokenizer(): object {
  const special = (id: number, content: string) => ({
    id,
    content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: true,
  });
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [special(0, '[PAD]'), special(1, '[UNK]')],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model: {
      type: 'WordLevel',
      vocab: Object.fromEntries(Object.keys(words).map((word, id) => [word, id])),
      unk_token: '[UNK]',
    },
  };
}
