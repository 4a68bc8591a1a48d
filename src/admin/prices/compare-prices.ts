import type { MeterName } from '../../common/rules/meters.js';
import { priceOfKind, kindsOf, type TokenKind, tokenKindDefinitions } from '../../common/rules/price-rules.js';
import type { ModelPrice, TokenPrices } from '../../config/model-definition.js';

/**
 * Compares what requests with these meters cost, so that a missing price equals the one that counts for it.
 *
 * @returns a line for each price that differs
 */
export function comparePrices(meters: readonly MeterName[], own: ModelPrice, listed: ModelPrice): string[] {
  const kinds = kindsOf(meters);
  const thresholds = [own, listed].flatMap(({ above = [] }) => above.map(({ inputTokens }) => inputTokens));
  const conditions = [undefined, ...new Set(thresholds.sort((one, other) => one - other))];
  return [
    ...conditions.flatMap((above) =>
      kinds.flatMap((kind) =>
        compare(
          nameOf(kind, above),
          priceOfKind(tokensAt(own, above), kind),
          priceOfKind(tokensAt(listed, above), kind),
        ),
      ),
    ),
    ...(meters.includes('pages') ? compare('per thousand pages', own.perThousandPages, listed.perThousandPages) : []),
    ...compare('per request', own.perRequest ?? '0', listed.perRequest ?? '0'),
  ];
}

/** Whether an entry has a price for what such requests use. */
export function hasPriceFor(meters: readonly MeterName[], { perMillionTokens, perThousandPages }: ModelPrice): boolean {
  return meters.includes('pages') ? perThousandPages !== undefined : perMillionTokens?.input !== undefined;
}

function nameOf(kind: TokenKind, above: number | undefined): string {
  const name = `${tokenKindDefinitions[kind].title.toLowerCase()} per million tokens`;
  return above === undefined ? name : `${name} above ${above} input tokens`;
}

/** The prices of requests with more input tokens. */
function tokensAt({ perMillionTokens = {}, above = [] }: ModelPrice, threshold: number | undefined): TokenPrices {
  const tier = above.findLast(({ inputTokens }) => threshold !== undefined && inputTokens <= threshold);
  return { ...perMillionTokens, ...tier?.perMillionTokens };
}

function compare(name: string, own: string | undefined, listed: string | undefined): string[] {
  if (own === listed) return [];
  return [`${name}: ${own ?? 'none'} in the models file, ${listed ?? 'none'} in the list`];
}
