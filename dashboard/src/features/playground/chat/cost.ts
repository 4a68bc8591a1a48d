import { valueAt } from './read-fields.js';
import type { Tokens } from './tokens.js';

const tokensPerUnit = 1_000_000;

/**
 * Returns what the tokens cost, in the currency of the price; undefined without the price of input and output tokens.
 * Cached tokens cost as much as other input unless they have their own price.
 *
 * @param price the model's price, with amounts per million tokens as decimal strings
 */
export function costOf({ input, output, cachedInput = 0, cacheWrite = 0 }: Tokens, price: unknown): number | undefined {
  const inputPrice = readPrice(price, 'input');
  const outputPrice = readPrice(price, 'output');
  if (input === undefined || output === undefined || inputPrice === undefined || outputPrice === undefined) {
    return undefined;
  }
  const uncached = Math.max(0, input - cachedInput - cacheWrite);
  const total =
    uncached * inputPrice +
    cachedInput * (readPrice(price, 'cachedInput') ?? inputPrice) +
    cacheWrite * (readPrice(price, 'cacheWrite') ?? inputPrice) +
    output * outputPrice;
  return total / tokensPerUnit;
}

function readPrice(price: unknown, meter: string): number | undefined {
  const value = valueAt(price, 'perMillionTokens', meter);
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
