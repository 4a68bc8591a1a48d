import type { MeterName } from './meters.js';

/*
 * What models can have prices for, and in which precision costs are recorded. Shared with the dashboard, so no
 * dependencies.
 */

/** Decimals of a recorded cost. In the database, costs are whole numbers of the smallest unit, a billionth. */
export const costDecimals = 9;

interface TokenKindDefinition {
  /** Counts its tokens, and those of the kinds that are part of it. */
  readonly meter: MeterName;
  /** Models of tasks that use this meter can have the price. */
  readonly usedWith: MeterName;
  /** The kind whose price counts if the model has none for this one. */
  readonly fallback?: string;
  /** For the dashboard. */
  readonly title: string;
  /** For the API. */
  readonly description: string;
}

const definitions = {
  input: {
    meter: 'inputTokens',
    usedWith: 'inputTokens',
    title: 'Input',
    description: 'Input tokens that no other kind counts.',
  },
  cachedInput: {
    meter: 'cachedInputTokens',
    usedWith: 'cachedInputTokens',
    fallback: 'input',
    title: 'Cached input',
    description: "Input tokens read from the upstream's cache; `input` by default.",
  },
  cacheWrite: {
    meter: 'cacheWriteTokens',
    usedWith: 'cacheWriteTokens',
    fallback: 'input',
    title: 'Cache write',
    description: "Input tokens written to the upstream's cache; `input` by default.",
  },
  cacheWrite1h: {
    meter: 'cacheWrite1hTokens',
    usedWith: 'cacheWriteTokens',
    fallback: 'cacheWrite',
    title: 'Cache write (1 hour)',
    description: "Input tokens written to the upstream's cache for an hour; `cacheWrite` by default.",
  },
  output: {
    meter: 'outputTokens',
    usedWith: 'outputTokens',
    title: 'Output',
    description: "Output tokens that aren't reasoning.",
  },
  reasoning: {
    meter: 'reasoningTokens',
    usedWith: 'reasoningTokens',
    fallback: 'output',
    title: 'Reasoning',
    description: 'Output tokens used for reasoning; `output` by default.',
  },
} as const satisfies Record<string, TokenKindDefinition>;

/** A kind of tokens that can have a price of its own. */
export type TokenKind = keyof typeof definitions;

export const tokenKinds = Object.keys(definitions) as TokenKind[];

export const tokenKindDefinitions: Readonly<
  Record<TokenKind, TokenKindDefinition & { readonly fallback?: TokenKind }>
> = definitions;

/** The price of a kind, or of the kind whose price counts for it; undefined if neither has one. */
export function priceOfKind<Price>(
  prices: { readonly [Kind in TokenKind]?: Price | undefined },
  kind: TokenKind,
): Price | undefined {
  const { fallback } = tokenKindDefinitions[kind];
  return prices[kind] ?? (fallback === undefined ? undefined : priceOfKind(prices, fallback));
}

/** The kinds of tokens that requests with these meters use. */
export function kindsOf(used: readonly MeterName[]): TokenKind[] {
  return tokenKinds.filter((kind) => used.includes(tokenKindDefinitions[kind].usedWith));
}
