import type { Bill } from '../../setup/generation-upstream/bill.js';

/** What a token costs, in billionths of the currency: thousands are decimals per million tokens. */
interface TokenCosts {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
  readonly reasoning: number;
}

const mini: TokenCosts = { input: 1000, cachedInput: 100, cacheWrite: 1250, output: 4000, reasoning: 5000 };
const large: TokenCosts = { input: 5000, cachedInput: 500, cacheWrite: 6250, output: 25_000, reasoning: 25_000 };

/** By id; upstreams know them by the same names. */
const costs = { mini, large, failing: mini, stuck: mini } as const;
export type ModelId = keyof typeof costs;
const modelIds = Object.keys(costs) as ModelId[];

export const maxOutputTokens = 400;

interface Upstreams {
  /** Generates. */
  readonly main: string;
  /** Responds with errors, for free. */
  readonly failing: string;
  /** Takes requests, and sends nothing. */
  readonly silent: string;
}

/** A models file: one model fails, and one never begins, so that others serve their requests. */
export function modelsFile({ main, failing, silent }: Upstreams): string {
  const fallbacks: Partial<Record<ModelId, ModelId>> = { failing: 'mini', stuck: 'large' };
  const urls: Record<ModelId, string> = { mini: main, large: main, failing, stuck: silent };
  const entries = modelIds.map((id) => {
    const price = Object.entries(costs[id]).map(([kind, cost]) => `${kind}: ${cost / 1000}`);
    const fallback = fallbacks[id];
    return `
  - id: ${id}
    task: generation
    routes: [chat/completions, completions, responses, messages]
    maxOutputTokens: ${maxOutputTokens}
    price: { perMillionTokens: { ${price.join(', ')} } }
    ${fallback === undefined ? '' : `fallbacks: [${fallback}]`}
    targets: [{ baseUrl: '${urls[id]}', model: ${id}, timeoutSeconds: 120, firstByteSeconds: ${id === 'stuck' ? 1 : 30}, idleSeconds: 20 }]`;
  });
  return `
models:
  - { id: vectors, task: embeddings, targets: [{ baseUrl: '${main}' }] }${entries.join('')}
`;
}

/** What a vendor charges for a request, in billionths. */
export function costOf(bill: Bill): number {
  const one = costs[bill.model as ModelId];
  const { input, cachedInput, cacheWrite, output, reasoning } = bill;
  return (
    (input - cachedInput - cacheWrite) * one.input +
    cachedInput * one.cachedInput +
    cacheWrite * one.cacheWrite +
    (output - reasoning) * one.output +
    reasoning * one.reasoning
  );
}
