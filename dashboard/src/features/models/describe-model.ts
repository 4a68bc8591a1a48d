import { tokenKindDefinitions, tokenKinds } from '@rules/price-rules.js';
import type { ModelEngine, ModelPrice } from '../../api/schema.js';
import { formatCount, formatPrice, pluralize } from '../../lib/format-numbers.js';

const bytesPerMegabyte = 1024 * 1024;

type TokenPrices = NonNullable<ModelPrice['perMillionTokens']>;

/** The prices per unit, such as "$0.02 per million tokens". Kinds of tokens have names if there are several. */
export function describePrice({
  currency,
  perMillionTokens = {},
  perRequest,
  perThousandPages,
  above = [],
}: ModelPrice): string[] {
  const format = (price: string) => formatPrice(Number(price), currency);
  const isInputOnly = above.length === 0 && Object.keys(perMillionTokens).join() === 'input';
  const ofTokens = (prices: TokenPrices, condition = '') =>
    tokenKinds.flatMap((kind) => {
      const price = prices[kind];
      if (price === undefined) return [];
      const name = isInputOnly ? '' : `${tokenKindDefinitions[kind].title}${condition}: `;
      return `${name}${format(price)} per million tokens`;
    });
  return [
    ...ofTokens(perMillionTokens),
    ...above.flatMap((tier) =>
      ofTokens(tier.perMillionTokens, `, if more than ${formatCount(tier.inputTokens)} input tokens`),
    ),
    ...(perThousandPages === undefined ? [] : [`${format(perThousandPages)} per thousand pages`]),
    ...(perRequest === undefined ? [] : [`${format(perRequest)} per request`]),
  ];
}

/** The limits of one request to an embedded model. */
export function describeLimits(engine: ModelEngine): string[] {
  const { maxInputs, maxTokens, maxTokensPerInput, maxDocumentBytes, maxDocumentPages } = engine;
  return [
    maxInputs !== undefined && pluralize(maxInputs, 'text'),
    maxTokensPerInput !== undefined && `${formatCount(maxTokensPerInput)} tokens per text`,
    maxTokens !== undefined && `${formatCount(maxTokens)} tokens in total`,
    maxDocumentBytes !== undefined && `${formatCount(maxDocumentBytes / bytesPerMegabyte)} MB per document`,
    maxDocumentPages !== undefined && `${formatCount(maxDocumentPages)} pages per document`,
  ].filter((limit) => limit !== false);
}
