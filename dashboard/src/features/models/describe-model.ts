import type { ModelEngine, ModelPrice } from '../../api/schema.js';
import { formatCount, formatPrice, pluralize } from '../../lib/format-numbers.js';

const bytesPerMegabyte = 1024 * 1024;

/** The price per unit, such as "$0.02 per million tokens". */
export function describePrice({ currency, perMillionTokens, perThousandPages }: ModelPrice): string {
  if (perMillionTokens !== undefined) return `${formatPrice(perMillionTokens, currency)} per million tokens`;
  return `${formatPrice(perThousandPages ?? 0, currency)} per thousand pages`;
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
