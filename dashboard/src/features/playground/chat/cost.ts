import { priceOfKind, type TokenKind, tokenKinds } from '@rules/price-rules.js';
import type { ModelPrice } from '../../../api/schema.js';
import type { Tokens } from './tokens.js';

const tokensPerUnit = 1_000_000;

type TokenPrices = NonNullable<ModelPrice['perMillionTokens']>;

/**
 * Returns what a request costs, in the currency of the price, as the service charges it apart from rounding; undefined
 * without reported tokens.
 */
export function costOf(tokens: Tokens, price: ModelPrice): number | undefined {
  const { input, output } = tokens;
  if (input === undefined || output === undefined) return undefined;
  const prices = pricesFor(input, price);
  const amounts = amountsByKind({ ...tokens, input, output });
  const costs = tokenKinds.map((kind) => amounts[kind] * Number(priceOfKind(prices, kind) ?? 0));
  return costs.reduce((sum, cost) => sum + cost, 0) / tokensPerUnit + Number(price.perRequest ?? 0);
}

/** The prices of a request with this many input tokens. Larger requests may have others. */
function pricesFor(input: number, { perMillionTokens = {}, above = [] }: ModelPrice): TokenPrices {
  const tier = above.findLast(({ inputTokens }) => input > inputTokens);
  return { ...perMillionTokens, ...tier?.perMillionTokens };
}

/** Splits the tokens, so that each counts once. Reported parts can't exceed what they are part of. */
function amountsByKind({
  input,
  output,
  ...parts
}: Tokens & { input: number; output: number }): Record<TokenKind, number> {
  const cachedInput = Math.min(parts.cachedInput ?? 0, input);
  const cacheWrite = Math.min(parts.cacheWrite ?? 0, input - cachedInput);
  const cacheWrite1h = Math.min(parts.cacheWrite1h ?? 0, cacheWrite);
  const reasoning = Math.min(parts.reasoning ?? 0, output);
  return {
    input: input - cachedInput - cacheWrite,
    cachedInput,
    cacheWrite: cacheWrite - cacheWrite1h,
    cacheWrite1h,
    output: output - reasoning,
    reasoning,
  };
}
