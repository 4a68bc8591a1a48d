import type { Metric } from '../common/rules/limit-rules.js';
import { type MeterAmounts, meters } from '../common/rules/meters.js';

/** Metrics that requests reserve, once their body and model are known. */
export type MeteredMetric = Exclude<Metric, 'requests' | 'concurrency'>;

/** Amounts of tokens and pages, and cost in billionths of the currency. */
export type Amounts = Readonly<Record<MeteredMetric, number>>;

export const noAmounts: Amounts = { tokens: 0, pages: 0, cost: 0 };

/** Amounts of meters, as limits count them. */
export function amountsOf(used: MeterAmounts, cost: number): Amounts {
  const amounts = { tokens: 0, pages: 0, cost };
  for (const { name, limit } of meters) if (limit !== undefined) amounts[limit] += used[name] ?? 0;
  return amounts;
}

/** The most that a request can use. */
export interface Demand extends Amounts {
  /** Id of the model that will serve the request. */
  readonly model: string;
  /** What limits that refill charge instead; undefined if the amounts are exact. */
  readonly estimate?: Readonly<Record<'tokens' | 'pages', number>>;
  /** How output can be lowered to what is left; undefined if it can't. */
  readonly output?: OutputDemand;
}

/** The output that a request asks for. */
export interface OutputDemand {
  /** The most tokens of each choice. */
  readonly tokens: number;
  /** The fewest that are useful. */
  readonly leastTokens: number;
  readonly choices: number;
  /** Of a token, in 10^-12 of a billionth; see `ModelPrices`. */
  readonly price: bigint;
}

/** Prices of output have 12 decimals more than costs. */
const priceScale = 10n ** 12n;

/** What a request can use with less output. Like the function `reserve_amounts`. */
export function withOutput(demand: Demand, tokens: number): Demand {
  const { output } = demand;
  if (output === undefined || tokens >= output.tokens) return demand;
  const fewer = (output.tokens - tokens) * output.choices;
  const saved = (BigInt(fewer) * output.price) / priceScale;
  return {
    ...demand,
    tokens: demand.tokens - fewer,
    cost: demand.cost - Number(saved),
    output: { ...output, tokens },
  };
}

/** The least that is useful for a request. */
export function leastOf(demand: Demand): Demand {
  return demand.output === undefined ? demand : withOutput(demand, demand.output.leastTokens);
}
