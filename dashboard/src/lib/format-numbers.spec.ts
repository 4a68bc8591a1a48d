import {
  costFormatter,
  formatCompact,
  formatCost,
  formatCostFigure,
  formatCostOnAxis,
  formatCount,
  formatCountOnAxis,
  formatDuration,
  formatFactor,
  formatFigure,
  formatLatency,
  formatMilliseconds,
  formatOptional,
  formatPercent,
  formatPercentChange,
  formatShare,
  hasRoundedCosts,
  pluralize,
} from './format-numbers.js';

describe('formatCount', () => {
  it('should separate thousands', () => {
    expect(formatCount(1234567)).toBe('1,234,567');
  });
});

describe('pluralize', () => {
  it.each([
    [0, '0 pages'],
    [1, '1 page'],
    [1234, '1,234 pages'],
  ])('should format %d as %s', (value, text) => {
    expect(pluralize(value, 'page')).toBe(text);
  });
});

describe('formatCompact', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [12_345, '12.3k'],
    [2_000_000, '2M'],
  ])('should format %d as %s', (value, text) => {
    expect(formatCompact(value)).toBe(text);
  });
});

describe('formatCountOnAxis', () => {
  it.each([
    [0, '0'],
    [550, '550'],
    [1650, '1.65k'],
    [2_200_000, '2.2M'],
  ])('should format %d as %s, without rounding it', (value, text) => {
    expect(formatCountOnAxis(value)).toBe(text);
  });
});

describe('formatFigure', () => {
  it.each([
    [0, '0'],
    [9_999_999, '9,999,999'],
    [12_345_678, '12.3M'],
    [1_234_567_890_123, '1.2T'],
  ])('should format %d as %s', (value, text) => {
    expect(formatFigure(value)).toBe(text);
  });
});

describe('formatMilliseconds', () => {
  it.each([
    [0.04, '0\u00a0ms'],
    [12.345, '12.3\u00a0ms'],
    [123.9, '124\u00a0ms'],
    [12_345, '12,345\u00a0ms'],
  ])('should format %d as %s', (value, text) => {
    expect(formatMilliseconds(value)).toBe(text);
  });
});

describe('formatLatency', () => {
  it.each([
    [0.84, '0.84\u00a0ms'],
    [13.45, '13\u00a0ms'],
    [1722, '1,700\u00a0ms'],
  ])('should format %d as %s', (value, text) => {
    expect(formatLatency(value)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [0.2, '0 ms'],
    [84.4, '84 ms'],
    [999.7, '1.0 s'],
    [1249, '1.2 s'],
  ])('should format %d as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

describe('formatOptional', () => {
  it('should show a dash for a missing value, but not for zero', () => {
    expect(formatOptional(null, formatCount)).toBe('–');
    expect(formatOptional(undefined, formatCount)).toBe('–');
    expect(formatOptional(0, formatCount)).toBe('0');
  });
});

describe('formatFactor', () => {
  it.each([
    [4, '4 times'],
    [4.25, '4.3 times'],
    [10.86, '11 times'],
    [1234.5, '1,235 times'],
  ])('should format %d as %s', (factor, text) => {
    expect(formatFactor(factor)).toBe(text);
  });
});

describe('formatShare', () => {
  it.each([
    [0, 0, '0.0%'],
    [0, 5, '0.0%'],
    [1, 3, '33.3%'],
    [1, 100_000, '<0.1%'],
    [99_999, 100_000, '>99.9%'],
    [5, 5, '100.0%'],
    [1, 4, '25.0%'],
    [5, 4, '125.0%'],
  ])('should format %d of %d as %s, with one decimal', (part, whole, text) => {
    expect(formatShare(part, whole)).toBe(text);
  });
});

describe('formatPercent', () => {
  it.each([
    [80, '80%'],
    [99.5, '99.5%'],
    [100, '100%'],
  ])('should format %d as %s, as it was entered', (percent, text) => {
    expect(formatPercent(percent)).toBe(text);
  });
});

describe('formatPercentChange', () => {
  it.each([
    [112, 100, '+12.0%'],
    [1125, 1000, '+12.5%'],
    [66, 99, '−33.3%'],
    [0, 100, '−100.0%'],
    [10_001, 10_000, '<0.1% more'],
    [9999, 10_000, '<0.1% less'],
    [5, 5, '0.0%'],
  ])('should format a change to %d from %d as %s', (current, previous, text) => {
    expect(formatPercentChange(current, previous)).toBe(text);
  });
});

describe('formatCost', () => {
  it.each([
    [0, 'EUR', '€0.00'],
    [1234.5, 'EUR', '€1,234.50'],
    [1.234567, 'EUR', '€1.23'],
    [0.5, 'EUR', '€0.50'],
    [0.412, 'EUR', '€0.41'],
    [0.01, 'EUR', '€0.01'],
    [0.00999, 'EUR', '€0.01'],
    [0.0042, 'EUR', '€0.0042'],
    [0.000124, 'EUR', '€0.00012'],
    [0.000012345, 'EUR', '€0.000012'],
    [1e-9, 'EUR', '€0.000000001'],
    [1234.5, 'JPY', '¥1,235'],
    [0.25, 'JPY', '¥0.25'],
  ])('should format %d %s as %s, with more decimals only below the smallest coin', (amount, currency, text) => {
    expect(formatCost(amount, currency).replace('JP', '')).toBe(text);
  });
});

describe('costFormatter', () => {
  it.each([
    ['EUR', [1234.5, 0], ['€1,234.50', '€0.00']],
    ['EUR', [1234.56789, 0.0025, 0], ['€1,234.57', '<€0.01', '€0.00']],
    ['EUR', [0.243, 0.417216, 0.0025, 0], ['€0.24', '€0.42', '<€0.01', '€0.00']],
    ['EUR', [0.01, 0.006], ['€0.01', '€0.01']],
    ['EUR', [0.0042, 0.00025, 0], ['€0.0042', '€0.0003', '€0.0000']],
    ['EUR', [0.006751, 0.000012], ['€0.0068', '<€0.0001']],
    ['EUR', [1e-9, 0], ['€0.000000001', '€0.000000000']],
    ['EUR', [0], ['€0.00']],
    ['EUR', [], []],
    ['JPY', [1234, 0], ['¥1,234', '¥0']],
    ['JPY', [0.25, 0], ['¥0.25', '¥0.00']],
    ['KWD', [1, 0.5], ['KWD\u00a01.000', 'KWD\u00a00.500']],
  ])('should format all amounts in %s %j with the same number of decimals', (currency, amounts, texts) => {
    const format = costFormatter(amounts, currency);
    expect(amounts.map((amount) => format(amount).replace('JP', ''))).toEqual(texts);
  });
});

describe('hasRoundedCosts', () => {
  it.each([
    [[0.1, 0.2, 0.3, 1234567.89], false],
    [[0.33, 0.335], true],
    [[12, 0.004], true],
    [[0.0042, 0.0021], false],
    [[0.0042, 0.00211], true],
    [[0], false],
    [[], false],
  ])('should say whether %j in a column are %s', (amounts, isRounded) => {
    expect(hasRoundedCosts(amounts, 'EUR')).toBe(isRounded);
  });
});

describe('formatCostFigure', () => {
  it.each([
    [0.000124, '€0.00012'],
    [0.631972, '€0.63'],
    [0.0124, '€0.01'],
    [0.006751, '€0.0068'],
    [99_999.99, '€99,999.99'],
    [1_234_567.89, '€1,234,568'],
    [1_234_567_890, '€1.2B'],
  ])('should format %d as %s', (amount, text) => {
    expect(formatCostFigure(amount, 'EUR')).toBe(text);
  });
});

describe('formatCostOnAxis', () => {
  it.each([
    [
      [0, 0.5, 1, 1.5, 2],
      ['0.00', '0.50', '1.00', '1.50', '2.00'],
    ],
    [
      [0, 0.0025, 0.005, 0.0075, 0.01],
      ['0.0000', '0.0025', '0.0050', '0.0075', '0.0100'],
    ],
    [
      [0, 3, 6, 9, 12],
      ['0', '3', '6', '9', '12'],
    ],
    [
      [0, 550, 1100, 1650, 2200],
      ['0', '550', '1.1k', '1.65k', '2.2k'],
    ],
  ])('should format %j as %j, with the symbol that other amounts have', (amounts, numbers) => {
    const [symbol = ''] = formatCost(5, 'USD').split('5');
    const texts = amounts.map((amount) => formatCostOnAxis(amount, amounts, 'USD'));
    expect(texts).toEqual(numbers.map((number) => `${symbol}${number}`));
  });

  it('should have the decimals of the steps, even if the currency has none', () => {
    const texts = [0, 1.5, 3, 4.5, 6].map((amount, _index, all) => formatCostOnAxis(amount, all, 'JPY'));
    expect(texts.map((text) => text.replace(/^\D+/, ''))).toEqual(['0.0', '1.5', '3.0', '4.5', '6.0']);
  });
});
