import { stripCurrency } from './strip-currency.js';

describe('stripCurrency', () => {
  it.each([
    '$45.50',
    '$ 45.50',
    '45.50 $',
    '45.50$',
    'USD 45.50',
    '45.50 usd',
    '45.50\u00a0USD',
    ' US$45.50 ',
    '$45.50 USD',
    '  45.50  ',
    '45.50',
  ])('should leave the amount of "%s"', (text) => {
    expect(stripCurrency(text, 'USD').trim()).toBe('45.50');
  });

  it('should keep other currencies and unfinished texts', () => {
    for (const text of ['€45.50', '45.50 EUR', '45.50 US', '$', 'USD', ''])
      expect(stripCurrency(text, 'USD')).toBe(text);
    expect(stripCurrency('€45.50', 'EUR')).toBe('45.50');
    expect(stripCurrency('$45.50', 'EUR')).toBe('$45.50');
  });
});
