import type { ApiKeyRequest } from '../../../api/schema.js';
import { formatExactCost } from '../../../lib/format-numbers.js';

/** Content of a cost column: the cost, or in gray the reason for a missing one. */
interface CostText {
  text: string;
  hasCost: boolean;
}

/** Only successful requests that used something lack a price if they have no cost: others cost nothing. */
export function describeCost(
  { cost, outcome, inputTokens, outputTokens, pages }: ApiKeyRequest,
  currency: string | undefined,
): CostText {
  if (cost !== null) return { text: formatExactCost(cost, currency), hasCost: true };
  const isUnpriced = outcome === 'success' && inputTokens + outputTokens + pages > 0;
  return { text: isUnpriced ? 'No price' : 'None', hasCost: false };
}
