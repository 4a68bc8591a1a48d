import { costDecimals } from '@rules/price-rules.js';
import type { GenerationRoute } from '@rules/tasks.js';
import type { ModelPrice } from '../../../api/schema.js';
import { formatCount, formatDuration, formatExactCost, pluralize } from '../../../lib/format-numbers.js';
import { type ChatResponse, tokensOf, tokensPerSecond } from './chat-response.js';
import { costOf } from './cost.js';

/** Smaller amounts would be shown as 0. */
const smallestCost = 10 ** -costDecimals;

interface Described {
  route: GenerationRoute;
  response: ChatResponse;
  /** The price of the model that served the request. */
  price: ModelPrice | null;
}

/** The figures of a response, such as "30 output tokens (10 reasoning)"; those that weren't reported are left out. */
export function describeResponse({ route, response, price }: Described): string[] {
  const tokens = tokensOf(route, response);
  const { input, cachedInput, output, reasoning } = tokens;
  const { firstTextMilliseconds } = response;
  const speed = tokensPerSecond(response, tokens);
  const cost = price === null ? undefined : costOf(tokens, price);
  return [
    input !== undefined && `${pluralize(input, 'input token')}${part(cachedInput, 'cached')}`,
    output !== undefined && `${pluralize(output, 'output token')}${part(reasoning, 'reasoning')}`,
    firstTextMilliseconds !== undefined && `${formatDuration(firstTextMilliseconds)} to first token`,
    speed !== undefined && `${formatCount(Math.round(speed))} tokens/s`,
    cost !== undefined && price !== null && describeCost(cost, price.currency),
  ].filter((figure) => figure !== false);
}

function part(amount: number | undefined, name: string): string {
  return amount === undefined || amount === 0 ? '' : ` (${formatCount(amount)} ${name})`;
}

/** Exactly, like the latest requests of a key. */
function describeCost(cost: number, currency: string): string {
  const format = (amount: number) => formatExactCost(amount.toFixed(costDecimals), currency);
  return cost > 0 && cost < smallestCost ? `less than ${format(smallestCost)}` : format(cost);
}
