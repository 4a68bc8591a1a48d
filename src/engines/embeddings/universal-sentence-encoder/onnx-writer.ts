/*
 * Writes the subset of the ONNX format that a transformer needs. ONNX files are protocol buffers: field numbers are from
 * https://github.com/onnx/onnx/blob/main/onnx/onnx.proto, the encoding from
 * https://protobuf.dev/programming-guides/encoding/.
 */

/** Values of a constant. `TensorProto.DataType` is derived from the array's type. */
export type TensorData = Float32Array<ArrayBuffer> | BigInt64Array<ArrayBuffer>;

/** An attribute of an operator: an integer, a list of integers, or a float as `{ float }`. */
export type OnnxAttribute = number | readonly number[] | { readonly float: number };

/** `TensorProto.DataType` */
const dataTypes = { float: 1, int32: 6, int64: 7 } as const;
/** `AttributeProto.AttributeType` */
const attributeTypes = { float: 1, int: 2, ints: 7 } as const;
const wireTypes = { varint: 0, bytes: 2, fixed32: 5 } as const;

const irVersion = 8;
/** The first operator set with `LayerNormalization`. */
const opsetVersion = 17;

/** `TensorProto`: dims = 1, data_type = 2, name = 8, raw_data = 9 (little-endian). */
export function encodeTensor(name: string, shape: readonly number[], data: TensorData): Buffer {
  const dataType = data instanceof Float32Array ? dataTypes.float : dataTypes.int64;
  return Buffer.concat([
    ...shape.map((size) => varintField(1, size)),
    varintField(2, dataType),
    stringField(8, name),
    bytesField(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
  ]);
}

/** `NodeProto`: input = 1, output = 2, op_type = 4, attribute = 5. */
export function encodeNode(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, OnnxAttribute>>,
): Buffer {
  return Buffer.concat([
    ...inputs.map((input) => stringField(1, input)),
    ...outputs.map((output) => stringField(2, output)),
    stringField(4, operator),
    ...Object.entries(attributes).map(([name, value]) => bytesField(5, encodeAttribute(name, value))),
  ]);
}

/**
 * `ValueInfoProto`: name = 1, type = 2. Inside the type, `TypeProto.tensor_type` = 1, `Tensor.elem_type` = 1,
 * `Tensor.shape` = 2, `TensorShapeProto.dim` = 1. A string makes a dimension dynamic (`dim_param` = 2).
 */
export function encodeValueInfo(
  name: string,
  type: keyof typeof dataTypes,
  shape: readonly (number | string)[],
): Buffer {
  const dimensions = shape.map((size) =>
    bytesField(1, typeof size === 'string' ? stringField(2, size) : varintField(1, size)),
  );
  const tensorType = Buffer.concat([varintField(1, dataTypes[type]), bytesField(2, Buffer.concat(dimensions))]);
  return Buffer.concat([stringField(1, name), bytesField(2, bytesField(1, tensorType))]);
}

/** Encoded parts of a graph. */
export interface EncodedGraph {
  readonly name: string;
  readonly nodes: readonly Buffer[];
  readonly constants: readonly Buffer[];
  readonly inputs: readonly Buffer[];
  readonly outputs: readonly Buffer[];
}

/**
 * `ModelProto`: ir_version = 1, graph = 7, opset_import = 8 (`OperatorSetIdProto.version` = 2).
 * `GraphProto`: node = 1, name = 2, initializer = 5, input = 11, output = 12.
 */
export function encodeModel(graph: EncodedGraph): Buffer {
  const encodedGraph = Buffer.concat([
    ...graph.nodes.map((node) => bytesField(1, node)),
    stringField(2, graph.name),
    ...graph.constants.map((constant) => bytesField(5, constant)),
    ...graph.inputs.map((input) => bytesField(11, input)),
    ...graph.outputs.map((output) => bytesField(12, output)),
  ]);
  return Buffer.concat([
    varintField(1, irVersion),
    bytesField(7, encodedGraph),
    bytesField(8, varintField(2, opsetVersion)),
  ]);
}

/** `AttributeProto`: name = 1, f = 2, i = 3, ints = 8, type = 20. */
function encodeAttribute(name: string, value: OnnxAttribute): Buffer {
  if (typeof value === 'number') {
    return Buffer.concat([stringField(1, name), varintField(3, value), varintField(20, attributeTypes.int)]);
  }
  if ('float' in value) {
    return Buffer.concat([stringField(1, name), floatField(2, value.float), varintField(20, attributeTypes.float)]);
  }
  return Buffer.concat([
    stringField(1, name),
    ...value.map((item) => varintField(8, item)),
    varintField(20, attributeTypes.ints),
  ]);
}

function varintField(field: number, value: number): Buffer {
  return Buffer.concat([tag(field, wireTypes.varint), varint(value)]);
}

function bytesField(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([tag(field, wireTypes.bytes), varint(bytes.byteLength), bytes]);
}

function stringField(field: number, text: string): Buffer {
  return bytesField(field, Buffer.from(text, 'utf8'));
}

function floatField(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([tag(field, wireTypes.fixed32), bytes]);
}

function tag(field: number, wireType: number): Buffer {
  return varint((field << 3) | wireType);
}

/** Seven bits per byte, lowest first. Negative numbers are 64-bit two's complement. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
