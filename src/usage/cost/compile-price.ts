import { toInteger } from '../../common/money/decimal.js';
import type { MeterAmounts } from '../../common/rules/meters.js';
import { costDecimals, priceOfKind, type TokenKind, tokenKinds } from '../../common/rules/price-rules.js';
import type { ModelPrice, TokenPrices } from '../../config/model-definition.js';

/** Decimals of prices. */
export const maxPriceDecimals = 15;

/** What a request can use at most. */
export interface UsageBound {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly pages?: number;
}

/** What a request can cost at most. */
export interface CostBound {
  /** In billionths. */
  readonly cost: bigint;
  /** The part that each token of output adds, in 10^-12 of a billionth; 0 if fewer tokens may cost as much. */
  readonly outputPrice: bigint;
}

/** A price that requests are multiplied with. */
export interface CompiledPrice {
  /** The exact cost of a request, rounded up to a billionth. */
  readonly costOf: (used: MeterAmounts) => bigint;
  /** The most that a request can cost: whatever its tokens turn out to be, at the highest price that can apply. */
  readonly boundOf: (bound: UsageBound) => CostBound;
}

/**
 * The most that a request can cost, a million. It could only cost more if its upstream reported amounts that can't be
 * right. The costs of a batch of requests therefore fit a `bigint` column.
 */
export const maxCost = 10n ** BigInt(costDecimals + 6);

/** Prices of a token or page have six decimals more than those of a million. */
const unitsPerCost = 10n ** BigInt(maxPriceDecimals + 6 - costDecimals);
const perMillion = (price: string) => toInteger(price, maxPriceDecimals);

interface Tier {
  /** For the whole of a request with more input tokens. */
  readonly above: number;
  readonly prices: Readonly<Record<TokenKind, bigint>>;
}

/** Prepares a price, so that a request takes a few multiplications. */
export function compilePrice({
  perMillionTokens = {},
  perRequest,
  perThousandPages,
  above = [],
}: ModelPrice): CompiledPrice {
  const tiers: Tier[] = [
    { above: -1, prices: compileTokens(perMillionTokens) },
    ...above.map(({ inputTokens, perMillionTokens: others }) => ({
      above: inputTokens,
      prices: compileTokens({ ...perMillionTokens, ...others }),
    })),
  ];
  tiers.sort((one, other) => other.above - one.above);
  const requestPrice = perMillion(perRequest ?? '0') * 1_000_000n;
  const pagePrice = perMillion(perThousandPages ?? '0') * 1000n;
  return {
    costOf: (used) => {
      const { inputTokens = 0, pages = 0 } = used;
      const tier = tiers.find((one) => inputTokens > one.above);
      const units =
        requestPrice + BigInt(pages) * pagePrice + (tier === undefined ? 0n : tokenUnits(used, tier.prices));
      const cost = toCost(units);
      return cost > maxCost ? maxCost : cost;
    },
    boundOf: ({ inputTokens = 0, outputTokens = 0, pages = 0 }) => {
      const reachable = tiers.filter(({ above }) => inputTokens > above).map(({ prices }) => prices);
      const outputPrice = highest(reachable, outputKinds);
      const input = times(inputTokens, highest(reachable, inputKinds));
      const units = requestPrice + BigInt(pages) * pagePrice + input + times(outputTokens, outputPrice);
      const cost = toCost(units);
      return cost > maxCost ? { cost: maxCost, outputPrice: 0n } : { cost, outputPrice };
    },
  };
}

const toCost = (units: bigint) => (units + unitsPerCost - 1n) / unitsPerCost;

const outputKinds: readonly TokenKind[] = ['output', 'reasoning'];
const inputKinds = tokenKinds.filter((kind) => !outputKinds.includes(kind));

function highest(tiers: readonly Tier['prices'][], kinds: readonly TokenKind[]): bigint {
  const prices = tiers.flatMap((tier) => kinds.map((kind) => tier[kind]));
  return prices.reduce((most, price) => (price > most ? price : most), 0n);
}

function compileTokens(prices: TokenPrices): Record<TokenKind, bigint> {
  const compiled = tokenKinds.map((kind) => [kind, perMillion(priceOfKind(prices, kind) ?? '0')]);
  return Object.fromEntries(compiled) as Record<TokenKind, bigint>;
}

/** Reported parts can't exceed what they are part of. */
function tokenUnits(used: MeterAmounts, prices: Tier['prices']): bigint {
  const { inputTokens = 0, outputTokens = 0 } = used;
  const cachedInput = Math.min(used.cachedInputTokens ?? 0, inputTokens);
  const cacheWrite = Math.min(used.cacheWriteTokens ?? 0, inputTokens - cachedInput);
  const cacheWrite1h = Math.min(used.cacheWrite1hTokens ?? 0, cacheWrite);
  const reasoning = Math.min(used.reasoningTokens ?? 0, outputTokens);
  return (
    times(inputTokens - cachedInput - cacheWrite, prices.input) +
    times(cachedInput, prices.cachedInput) +
    times(cacheWrite - cacheWrite1h, prices.cacheWrite) +
    times(cacheWrite1h, prices.cacheWrite1h) +
    times(outputTokens - reasoning, prices.output) +
    times(reasoning, prices.reasoning)
  );
}

function times(amount: number, price: bigint): bigint {
  return amount === 0 ? 0n : BigInt(amount) * price;
}
