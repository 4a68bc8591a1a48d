import fc from 'fast-check';
import { readAmount, readGroupedNumber, toAmountField, toBillionths, toDecimal } from './money.js';

const english = { group: ',', point: '.' };
const german = { group: '.', point: ',' };
const amounts = fc.bigInt({ min: 0n, max: 10n ** 21n });

describe('toBillionths', () => {
  it('should be exact for every amount, and reversed by toDecimal', () => {
    fc.assert(fc.property(amounts, (billionths) => toBillionths(toDecimal(billionths)) === billionths));
    expect(toBillionths('25.00')).toBe(25_000_000_000n);
    expect(toDecimal(1n)).toBe('0.000000001');
    expect(toDecimal(25_500_000_000n)).toBe('25.5');
  });
});

describe('readAmount', () => {
  it.each([
    ['25', '25'],
    ['25.00', '25'],
    ['25.', '25'],
    ['.5', '0.5'],
    ['25,5', '25.5'],
    ['007', '7'],
    ['1,000', '1000'],
    ['1.000', '1'],
    ['1,000.50', '1000.5'],
    ['1.000,50', '1000.5'],
    ['1 000 000,5', '1000000.5'],
    ["1'000.5", '1000.5'],
    ['1,234,567', '1234567'],
    ['999999999.123456789', '999999999.123456789'],
  ])('should read "%s" as %s', (text, decimal) => {
    expect(readAmount(text, english)).toBe(decimal);
  });

  it('should read a text with two meanings as in the region of the user', () => {
    expect(readAmount('1.500', english)).toBe('1.5');
    expect(readAmount('1.500', german)).toBe('1500');
    expect(readAmount('1,500', german)).toBe('1.5');
  });

  it.each(['', '.', '-1', '$5', '1e3', '1,00,000', '1.2.3', '1,234,56', 'five'])('should not read "%s"', (text) => {
    expect(readAmount(text, english)).toBeUndefined();
  });
});

describe('toAmountField', () => {
  it('should have groups, and at least the decimals of the currency', () => {
    expect(toAmountField('1000000.5', 'USD', english)).toBe('1,000,000.50');
    expect(toAmountField('1000', 'JPY', english)).toBe('1,000');
    expect(toAmountField('0.000000001', undefined, german)).toBe('0,000000001');
  });

  it.each([english, german])('should be read as the same amount with %j', (separators) => {
    fc.assert(
      fc.property(amounts, (billionths) => {
        const decimal = toDecimal(billionths);
        expect(readAmount(toAmountField(decimal, 'USD', separators), separators)).toBe(decimal);
      }),
    );
  });
});

describe('readGroupedNumber', () => {
  it.each([
    ['1,000', 1000],
    ['1.000', 1000],
    [' 12\u202f500 ', 12_500],
    ["1'000'000", 1_000_000],
    ['1.000.000.000.000', 1_000_000_000_000],
  ])('should read %j as %d', (text, number) => {
    expect(readGroupedNumber(text)).toBe(number);
  });

  it.each(['1000', '1.5', '1.000,50', '1.000 000', '1000.000', '0.000.', 'a thousand', ''])(
    'should not read %j',
    (text) => {
      expect(readGroupedNumber(text)).toBeUndefined();
    },
  );
});
