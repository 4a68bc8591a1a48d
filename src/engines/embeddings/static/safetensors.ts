import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { z } from 'zod';

/** A tensor in a file in the safetensors format, not read yet. */
export interface TensorEntry {
  readonly dtype: Dtype;
  /** Row-major. */
  readonly shape: readonly number[];
  /** Position in the file. */
  readonly start: number;
  readonly length: number;
}

const bytesPerValue = { F64: 8, F32: 4, F16: 2, BF16: 2, I64: 8, I32: 4 } as const;
type Dtype = keyof typeof bytesPerValue;

/** Length of the header, as a 64-bit integer. */
const prefixBytes = 8;
/** The limit of the reference implementation. */
const maxHeaderBytes = 100_000_000;
const count = z.int().nonnegative();
const entrySchema = z.object({ dtype: z.string(), shape: z.array(count), data_offsets: z.tuple([count, count]) });

/**
 * Reads which tensors a file has.
 *
 * @throws Error whose message completes a sentence that begins with the name of the file
 */
export function readTensorEntries(file: string): Map<string, TensorEntry> {
  const descriptor = openSync(file, 'r');
  try {
    const fileBytes = fstatSync(descriptor).size;
    const headerBytes = Number(readBytes(descriptor, 0, prefixBytes).readBigUInt64LE());
    const dataStart = prefixBytes + headerBytes;
    if (headerBytes > maxHeaderBytes || dataStart > fileBytes)
      throw new Error('is truncated, or is no safetensors file');
    const entries = Object.entries(parseHeader(readBytes(descriptor, prefixBytes, headerBytes)));
    const tensors = entries.filter(([name]) => name !== '__metadata__');
    return new Map(tensors.flatMap(([name, entry]) => toEntry(name, entry, { dataStart, fileBytes })));
  } finally {
    closeSync(descriptor);
  }
}

function parseHeader(bytes: Buffer): object {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new Error('is no safetensors file: its header is not a JSON object');
  }
}

/** Types that no model here uses are left out. */
function toEntry(
  name: string,
  entry: unknown,
  { dataStart, fileBytes }: { dataStart: number; fileBytes: number },
): [string, TensorEntry][] {
  const { data, success } = entrySchema.safeParse(entry);
  if (!success) throw new Error(`has an invalid entry for the tensor ${name}`);
  const { dtype, shape, data_offsets: offsets } = data;
  if (!isKnown(dtype)) return [];
  const [start, end] = [dataStart + offsets[0], dataStart + offsets[1]];
  if (end > fileBytes) throw new Error(`is truncated: the tensor ${name} ends after the file`);
  const length = shape.reduce((product, size) => product * size, 1);
  if (end - start !== length * bytesPerValue[dtype])
    throw new Error(`has a size of the tensor ${name} unlike its shape`);
  return [[name, { dtype, shape, start, length }]];
}

const isKnown = (dtype: string): dtype is Dtype => Object.hasOwn(bytesPerValue, dtype);

/**
 * Reads all values of a tensor as 32-bit floats.
 *
 * @throws Error like `readTensorEntries`
 */
export function readTensor(file: string, { dtype, start, length }: TensorEntry): Float32Array<ArrayBuffer> {
  const descriptor = openSync(file, 'r');
  try {
    const values = toFloats(dtype, readBytes(descriptor, start, length * bytesPerValue[dtype]));
    if (!values.every(Number.isFinite)) throw new Error('contains values that are no finite numbers');
    return values;
  } finally {
    closeSync(descriptor);
  }
}

/** 32-bit floats aren't copied, which would double the memory. All platforms that Node runs on are little-endian. */
function toFloats(dtype: Dtype, bytes: Buffer<ArrayBuffer>): Float32Array<ArrayBuffer> {
  if (dtype === 'F32') return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / bytesPerValue.F32);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = bytesPerValue[dtype];
  return new Float32Array(bytes.length / size).map((_, index) => readers[dtype](view, index * size));
}

const singleFloat = new DataView(new ArrayBuffer(4));

/** The format is little-endian. */
const readers: Record<Exclude<Dtype, 'F32'>, (view: DataView, offset: number) => number> = {
  F64: (view, offset) => Math.fround(view.getFloat64(offset, true)),
  F16: (view, offset) => halfToNumber(view.getUint16(offset, true)),
  // The first half of a 32-bit float.
  BF16: (view, offset) => {
    singleFloat.setUint32(0, view.getUint16(offset, true) << 16);
    return singleFloat.getFloat32(0);
  },
  I64: (view, offset) => Number(view.getBigInt64(offset, true)),
  I32: (view, offset) => view.getInt32(offset, true),
};

/** IEEE 754 half precision: 1 bit of sign, 5 of exponent, 10 of fraction. */
function halfToNumber(bits: number): number {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The system may return less than 2 GB at once. */
function readBytes(descriptor: number, position: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(length);
  const chunkBytes = 1024 ** 3;
  for (let offset = 0; offset < length;) {
    const read = readSync(descriptor, bytes, offset, Math.min(chunkBytes, length - offset), position + offset);
    if (read === 0) throw new Error('is truncated');
    offset += read;
  }
  return bytes;
}
