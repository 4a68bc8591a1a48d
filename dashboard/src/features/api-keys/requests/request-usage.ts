import type { ApiKeyRequest } from '../../../api/schema.js';
import { formatCount, pluralize } from '../../../lib/format-numbers.js';

/** Describes what a request used with its unit, such as "1,200 tokens in, 300 out" or "3 pages"; null for nothing. */
export function describeUsage({
  inputTokens,
  outputTokens,
  pages,
}: Pick<ApiKeyRequest, 'inputTokens' | 'outputTokens' | 'pages'>): string | null {
  const parts = [
    inputTokens > 0 && `${pluralize(inputTokens, 'token')} in`,
    outputTokens > 0 && `${inputTokens > 0 ? formatCount(outputTokens) : pluralize(outputTokens, 'token')} out`,
    pages > 0 && pluralize(pages, 'page'),
  ].filter((part) => part !== false);
  return parts.length === 0 ? null : parts.join(', ');
}
