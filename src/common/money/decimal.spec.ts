import fc from 'fast-check';
import { decimalsOf, fromInteger, toDecimal, toInteger } from './decimal.js';

describe('toDecimal', () => {
  it.each([
    ['0.02', '0.02'],
    ['00.0200', '0.02'],
    ['1', '1'],
    ['1.', '1'],
    ['.5', '0.5'],
    ['+2.50', '2.5'],
    ['1.25e-06', '0.00000125'],
    ['12.5E2', '1250'],
    ['1.25e1', '12.5'],
    ['0e5', '0'],
    ['-0', '0'],
    ['0.123456789012345678901', '0.123456789012345678901'],
    [0.1, '0.1'],
    [1e-7, '0.0000001'],
    [1e21, '1000000000000000000000'],
  ])('should write %j as %s', (value, decimal) => {
    expect(toDecimal(value)).toBe(decimal);
  });

  it.each(['', '.', '-1', 'x', '1e', '1e9999', '0x10', '1_000', '1,5', ' 1', NaN, Infinity, -0.5])(
    'should reject %j',
    (value) => {
      expect(toDecimal(value)).toBeUndefined();
    },
  );

  it('should keep the value of every number', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e20, noNaN: true }), (value) => {
        expect(Number(toDecimal(value))).toBe(value);
      }),
    );
  });
});

describe('toInteger and fromInteger', () => {
  it('should be the inverse of each other', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 30n }), fc.integer({ min: 1, max: 20 }), (amount, decimals) => {
        const decimal = fromInteger(amount, decimals);
        expect(decimalsOf(decimal)).toBeLessThanOrEqual(decimals);
        expect(toInteger(decimal, decimals)).toBe(amount);
        expect(toDecimal(decimal)).toBe(decimal);
      }),
    );
  });
});
