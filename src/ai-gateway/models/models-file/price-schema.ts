import { z } from 'zod';
import { decimalsOf, toDecimal, toInteger } from '../../../common/money/decimal.js';
import { kindsOf, type TokenKind, tokenKinds } from '../../../common/rules/price-rules.js';
import { type Task, taskDefinitions } from '../../../common/rules/tasks.js';
import { maxCount } from '../../../common/storable.js';
import { nonEmptyList, wholeNumber } from '../../../common/validation/settings-schema.js';
import type { ModelPrice, TokenPrices } from '../../../config/model-definition.js';
import { maxPriceDecimals } from '../../../usage/cost/compile-price.js';

const maxPrice = 1_000_000;
const decimalError = `must be a number from 0 to ${maxPrice} with at most ${maxPriceDecimals} decimals`;

const decimal = z.union([z.string(), z.number()], { error: decimalError }).transform((value, check) => {
  const found = toDecimal(value);
  if (found !== undefined && isPrice(found)) return found;
  check.addIssue(decimalError);
  return z.NEVER;
});

function isPrice(value: string): boolean {
  if (decimalsOf(value) > maxPriceDecimals) return false;
  return toInteger(value, maxPriceDecimals) <= toInteger(String(maxPrice), maxPriceDecimals);
}

const optionalDecimal = decimal.optional();
const tokenPrices = z
  .strictObject(
    Object.fromEntries(tokenKinds.map((kind) => [kind, optionalDecimal])) as Record<TokenKind, typeof optionalDecimal>,
  )
  .transform((prices): TokenPrices => prices);

/** A single number is the price of input. */
const inputOrTokenPrices = z.preprocess(
  (value) => (typeof value === 'number' || typeof value === 'string' ? { input: value } : value),
  tokenPrices,
);

/** The price of a model, with exact decimals. */
export const price = z
  .strictObject({
    perMillionTokens: inputOrTokenPrices.optional(),
    perRequest: decimal.optional(),
    perThousandPages: decimal.optional(),
    above: nonEmptyList(
      z.strictObject({ inputTokens: wholeNumber(1, maxCount), perMillionTokens: inputOrTokenPrices }),
    ).optional(),
  })
  .transform((value, check): ModelPrice => {
    const above = value.above?.toSorted((one, other) => one.inputTokens - other.inputTokens);
    const isRepeated = above?.some(({ inputTokens }, index) => above[index - 1]?.inputTokens === inputTokens);
    if (isRepeated) check.addIssue({ code: 'custom', path: ['above'], message: 'must name each inputTokens once' });
    return { ...value, above };
  });

/** Requires prices for what requests of the task use, and allows no others. */
export function checkPrice(price: ModelPrice | undefined, task: Task, check: z.RefinementCtx): void {
  if (price === undefined) return;
  const reason = `because the task is ${task}`;
  const report = (path: readonly (string | number)[], message: string) =>
    check.addIssue({ code: 'custom', path: ['price', ...path], message: `${message}, ${reason}` });
  const { meters } = taskDefinitions[task];
  const kinds = kindsOf(meters);
  const { perMillionTokens, perThousandPages, above = [] } = price;
  if (meters.includes('pages') && perThousandPages === undefined) report([], 'must have perThousandPages');
  if (!meters.includes('pages') && perThousandPages !== undefined) report(['perThousandPages'], 'must be omitted');
  if (kinds.length === 0) {
    if (perMillionTokens !== undefined) report(['perMillionTokens'], 'must be omitted');
    if (above.length > 0) report(['above'], 'must be omitted');
    return;
  }
  for (const kind of ['input', 'output'] as const) {
    if (kinds.includes(kind) && perMillionTokens?.[kind] === undefined)
      report([], `must have perMillionTokens.${kind}`);
  }
  const checkKinds = (prices: TokenPrices, path: readonly (string | number)[]) => {
    const unused = tokenKinds.filter((kind) => prices[kind] !== undefined && !kinds.includes(kind));
    for (const kind of unused) report([...path, kind], 'must be omitted');
  };
  checkKinds(perMillionTokens ?? {}, ['perMillionTokens']);
  for (const [index, tier] of above.entries()) {
    checkKinds(tier.perMillionTokens, ['above', index, 'perMillionTokens']);
  }
}
