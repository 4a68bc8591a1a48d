import type { ModelEngine, ModelPrice } from '../../api/schema.js';
import { formatCount, formatPrice, pluralize } from '../../lib/format-numbers.js';

const megabyte = 1024 * 1024;

/** Names languages in alphabetical order, such as "English, German". Codes without a name are left unchanged. */
export function nameLanguages(codes: readonly string[]): string {
  const names = new Intl.DisplayNames('en', { type: 'language' });
  return codes
    .map((code) => nameOf(code, names))
    .sort((one, other) => one.localeCompare(other, 'en'))
    .join(', ');
}

/** Tesseract's codes such as `chi_sim` aren't all language tags. */
function nameOf(code: string, names: Intl.DisplayNames): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

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
    maxDocumentBytes !== undefined && `${formatCount(maxDocumentBytes / megabyte)} MB per document`,
    maxDocumentPages !== undefined && `${formatCount(maxDocumentPages)} pages per document`,
  ].filter((limit) => limit !== false);
}
