/**
 * What is counted of requests. Usage tables, reports, CSV, limits, metrics, spans and the dashboard follow from this list.
 * Costs aren't counts: see `price-rules.ts`.
 * Shared with the dashboard, so no dependencies.
 */

interface MeterDefinition {
  readonly unit: 'token' | 'page' | 'request';
  /** For the dashboard. */
  readonly title: string;
  /** The meter that includes it. */
  readonly partOf?: 'inputTokens' | 'cacheWriteTokens' | 'outputTokens';
  /** For the API and Prometheus. */
  readonly description: string;
  /** For the API. */
  readonly example: number;
  /** The kind of limit it counts toward. */
  readonly limit?: 'tokens' | 'pages';
  /** Attribute of spans, by OpenTelemetry's semantic conventions for generative AI; `keycard.…` by default. */
  readonly spanAttribute?: string;
}

const definitions = {
  inputTokens: {
    unit: 'token',
    title: 'Input tokens',
    description: 'Number of input tokens, including cached ones.',
    example: 48_000,
    limit: 'tokens',
    spanAttribute: 'gen_ai.usage.input_tokens',
  },
  cachedInputTokens: {
    unit: 'token',
    title: 'Cached input tokens',
    partOf: 'inputTokens',
    description: "Number of input tokens that were read from the upstream's cache; part of `inputTokens`.",
    example: 0,
    spanAttribute: 'gen_ai.usage.cache_read.input_tokens',
  },
  cacheWriteTokens: {
    unit: 'token',
    title: 'Cache write tokens',
    partOf: 'inputTokens',
    description: "Number of input tokens that were written to the upstream's cache; part of `inputTokens`.",
    example: 0,
    spanAttribute: 'gen_ai.usage.cache_creation.input_tokens',
  },
  cacheWrite1hTokens: {
    unit: 'token',
    title: 'Cache write tokens (1 hour)',
    partOf: 'cacheWriteTokens',
    description:
      "Number of input tokens that were written to the upstream's cache for an hour; part of `cacheWriteTokens`.",
    example: 0,
  },
  outputTokens: {
    unit: 'token',
    title: 'Output tokens',
    description: 'Number of output tokens, including reasoning.',
    example: 0,
    limit: 'tokens',
    spanAttribute: 'gen_ai.usage.output_tokens',
  },
  reasoningTokens: {
    unit: 'token',
    title: 'Reasoning tokens',
    partOf: 'outputTokens',
    description: 'Number of output tokens that the model used for reasoning; part of `outputTokens`.',
    example: 0,
    spanAttribute: 'gen_ai.usage.reasoning.output_tokens',
  },
  pages: {
    unit: 'page',
    title: 'Pages',
    description: 'Number of document pages read.',
    example: 0,
    limit: 'pages',
  },
  estimatedRequests: {
    unit: 'request',
    title: 'Estimated requests',
    description:
      'Number of requests whose upstream never reported their usage. They count with the most that they could have used.',
    example: 0,
  },
} as const satisfies Record<string, MeterDefinition>;

export type MeterName = keyof typeof definitions;

export interface Meter extends MeterDefinition {
  readonly name: MeterName;
  /** In the tables of usage. */
  readonly column: string;
}

/** Amounts by meter; 0 where one is missing. */
export type MeterAmounts = Partial<Record<MeterName, number>>;

/** All meters, in the order in which they are shown. */
export const meters: Meter[] = Object.entries<MeterDefinition>(definitions).map(([name, definition]) =>
  toMeter(name as MeterName, definition),
);

/** A meter with its column, which has its name in snake case. */
export function toMeter(name: MeterName, definition: MeterDefinition): Meter {
  return { name, column: name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), ...definition };
}
