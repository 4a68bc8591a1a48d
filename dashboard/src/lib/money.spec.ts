import fc from 'fast-check';
import { readAmount, readGroupedNumber, readMeanings, toAmountField, toBillionths, toDecimal } from './money.js';

const english = { group: ',', point: '.' };
const german = { group: '.', point: ',' };
const toThousandths = (count: bigint) => count * 10n ** 6n;
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
    ['1,000.50', '1000.5'],
    ['1.000,50', '1000.5'],
    ['1 000 000,5', '1000000.5'],
    ["1'000.5", '1000.5'],
    ['1,234,567', '1234567'],
    ['999999999.123456789', '999999999.123456789'],
  ])('should read "%s" as %s', (text, decimal) => {
    expect(readAmount(text)).toBe(decimal);
  });

  it.each(['1,500', '1.500', '12,345', ' 999.000 '])('should not read "%s", which has two meanings', (text) => {
    expect(readAmount(text)).toBeUndefined();
  });

  it.each([
    ['0.125', '0.125'],
    ['1234.567', '1234.567'],
    ['.500', '0.5'],
    ['1.5000', '1.5'],
    ['1 500', '1500'],
    ['1,500,000', '1500000'],
  ])('should read "%s", whose separators have one meaning', (text, decimal) => {
    expect(readAmount(text)).toBe(decimal);
  });

  it.each(['', '.', '-1', '$5', '1e3', '1,00,000', '1.2.3', '1,234,56', 'five'])('should not read "%s"', (text) => {
    expect(readAmount(text)).toBeUndefined();
  });
});

describe('toAmountField', () => {
  it('should have groups, and at least the decimals of the currency', () => {
    expect(toAmountField('1000000.5', 'USD', english)).toBe('1,000,000.50');
    expect(toAmountField('1000000', 'JPY', english)).toBe('1,000,000');
    expect(toAmountField('0.000000001', undefined, german)).toBe('0,000000001');
  });

  it('should have a single meaning', () => {
    expect(toAmountField('1000', 'JPY', english)).toBe('1000');
    expect(toAmountField('1.125', 'USD', english)).toBe('1.1250');
    expect(toAmountField('1.5', 'KWD', german)).toBe('1,5000');
  });

  it.each([
    ['USD', english],
    ['USD', german],
    ['JPY', english],
    ['KWD', german],
  ])('should be read as the same amount of %s with %j', (currency, separators) => {
    fc.assert(
      fc.property(fc.oneof(amounts, fc.bigInt({ min: 1n, max: 10n ** 7n }).map(toThousandths)), (billionths) => {
        const decimal = toDecimal(billionths);
        expect(readAmount(toAmountField(decimal, currency, separators))).toBe(decimal);
      }),
    );
  });
});

describe('readMeanings', () => {
  it('should return both, as they can be entered without a doubt', () => {
    expect(readMeanings('1,500')).toEqual(['1500', '1.50']);
    expect(readMeanings('45.125')).toEqual(['45125', '45.1250']);
    expect(readMeanings('1.000')).toEqual(['1000', '1.00']);
    for (const meaning of ['1500', '1.50', '45.1250', '1.00']) expect(readMeanings(meaning)).toBeUndefined();
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
