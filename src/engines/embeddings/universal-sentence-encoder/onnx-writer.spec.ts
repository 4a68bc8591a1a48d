import { encodeModel, encodeNode, encodeTensor, encodeValueInfo } from './onnx-writer.js';

describe('ONNX writer', () => {
  it('should encode tensors as ONNX defines them', () => {
    const encoded = encodeTensor('w', [2, 300], new Float32Array([1]));
    // Dimensions 2 and 300 (two bytes of seven bits each), data type 1, name, raw data.
    expect(encoded.toString('hex')).toBe('0802' + '08ac02' + '1001' + '420177' + '4a040000803f');
  });

  it('should encode integers as data type 7', () => {
    const encoded = encodeTensor('i', [1], BigInt64Array.of(-1n));
    expect(encoded.toString('hex')).toBe('0801' + '1007' + '420169' + '4a08ffffffffffffffff');
  });

  it('should encode attributes with their type, and negative numbers in ten bytes', () => {
    const encoded = encodeNode('Op', ['x'], ['y'], { a: -1, b: { float: 0.5 }, c: [2, 3] });
    const attributes = [
      '2a11' + '0a0161' + '18ffffffffffffffffff01' + 'a00102',
      '2a0b' + '0a0162' + '150000003f' + 'a00101',
      '2a0a' + '0a0163' + '40024003' + 'a00107',
    ];
    expect(encoded.toString('hex')).toBe('0a0178' + '120179' + '22024f70' + attributes.join(''));
  });

  it('should encode dynamic dimensions by name', () => {
    const encoded = encodeValueInfo('x', 'int32', ['n', 4]);
    expect(encoded.toString('hex')).toBe('0a0178' + '120f' + '0a0d' + '0806' + '1209' + '0a0312016e' + '0a020804');
  });

  it('should declare the versions of the format and the operator set', () => {
    const encoded = encodeModel({ name: 'g', nodes: [], constants: [], inputs: [], outputs: [] });
    expect(encoded.toString('hex')).toBe('0808' + '3a03120167' + '42021011');
  });
});
