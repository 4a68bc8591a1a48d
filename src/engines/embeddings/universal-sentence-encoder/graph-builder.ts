import type { WeightTensor } from './model-files.js';
import {
  encodeModel,
  encodeNode,
  encodeTensor,
  encodeValueInfo,
  type OnnxAttribute,
  type TensorData,
} from './onnx-writer.js';

/** The name of a value in the graph. */
export type GraphValue = string;

type ValueType = Parameters<typeof encodeValueInfo>[1];
type Shape = readonly (number | string)[];

/** Builds an ONNX graph operator by operator. Names of intermediate values are generated. */
export class GraphBuilder {
  private readonly nodes: Buffer[] = [];
  private readonly constants: Buffer[] = [];
  private readonly inputs: Buffer[] = [];
  private readonly outputs: Buffer[] = [];
  private valueCount = 0;

  constructor(private readonly name: string) {}

  input(name: string, type: ValueType, shape: Shape): GraphValue {
    this.inputs.push(encodeValueInfo(name, type, shape));
    return name;
  }

  output(name: string, type: ValueType, shape: Shape): GraphValue {
    this.outputs.push(encodeValueInfo(name, type, shape));
    return name;
  }

  constant(shape: readonly number[], data: TensorData): GraphValue {
    const value = this.newValue();
    this.constants.push(encodeTensor(value, shape, data));
    return value;
  }

  weight(weight: WeightTensor, shape = weight.shape): GraphValue {
    return this.constant(shape, weight.data);
  }

  scalar(value: number): GraphValue {
    return this.constant([1], Float32Array.of(value));
  }

  integers(...values: number[]): GraphValue {
    return this.constant([values.length], BigInt64Array.from(values, BigInt));
  }

  /** Adds an operator with one output. Only outputs of the graph need a name. */
  apply(
    operator: string,
    inputs: readonly GraphValue[],
    attributes: Readonly<Record<string, OnnxAttribute>> = {},
    output: GraphValue = this.newValue(),
  ): GraphValue {
    this.nodes.push(encodeNode(operator, inputs, [output], attributes));
    return output;
  }

  /** Splits the last axis into three equal parts. */
  splitInThree(input: GraphValue): [GraphValue, GraphValue, GraphValue] {
    const outputs: [GraphValue, GraphValue, GraphValue] = [this.newValue(), this.newValue(), this.newValue()];
    this.nodes.push(encodeNode('Split', [input], outputs, { axis: -1 }));
    return outputs;
  }

  build(): Buffer {
    const { name, nodes, constants, inputs, outputs } = this;
    return encodeModel({ name, nodes, constants, inputs, outputs });
  }

  private newValue(): GraphValue {
    this.valueCount += 1;
    return `value_${this.valueCount}`;
  }
}
