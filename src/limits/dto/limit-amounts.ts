import { toInteger } from '../../common/money/decimal.js';
import { maxConcurrency, maxCostLimit, maxLimit, type Metric, metrics } from '../../common/rules/limit-rules.js';
import { costDecimals } from '../../common/rules/price-rules.js';

/** What limits of a metric can amount to. */
interface AmountRule {
  readonly isAllowed: (value: unknown) => boolean;
  /** Follows "must be". */
  readonly allowed: string;
}

/** A decimal without exponent, sign and needless zeros in front, up to a billion units with nine decimals. */
export const costPattern = String.raw`^(0|[1-9]\d{0,9})(\.\d{1,${costDecimals}})?$`;
const cost = new RegExp(costPattern);
const largestCost = BigInt(maxCostLimit) * 10n ** BigInt(costDecimals);

function isCost(value: unknown): boolean {
  if (typeof value !== 'string' || !cost.test(value)) return false;
  const amount = toInteger(value, costDecimals);
  return amount > 0n && amount <= largestCost;
}

const integerUpTo = (max: number): AmountRule => ({
  isAllowed: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max,
  allowed: `an integer between 1 and ${max}`,
});

const counts = integerUpTo(maxLimit);
const costs: AmountRule = {
  isAllowed: isCost,
  allowed: `a decimal string above 0 and at most ${maxCostLimit}, with up to ${costDecimals} decimals, such as "25.00"`,
};

const rules: Readonly<Record<Metric, AmountRule>> = {
  requests: counts,
  tokens: counts,
  pages: counts,
  cost: costs,
  concurrency: integerUpTo(maxConcurrency),
};

/** For a metric that is invalid, which is an error of its own. */
const anyAmount: AmountRule = {
  isAllowed: (value) => counts.isAllowed(value) || costs.isAllowed(value),
  allowed: `${counts.allowed}, or a decimal string for cost`,
};

/** The rule for amounts of a metric, which may be invalid. */
export function amountRuleOf(metric: unknown): AmountRule {
  const known = metrics.find((one) => one === metric);
  return known === undefined ? anyAmount : rules[known];
}
