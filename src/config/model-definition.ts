import type { TokenKind } from '../common/rules/price-rules.js';
import type { GenerationRoute, Task } from '../common/rules/tasks.js';
import type { EngineDefinition } from '../engines/engine-definition.js';

/** The headers in which upstreams take Keycard's credential. */
export const apiKeyHeaders = ['authorization', 'x-api-key', 'api-key'] as const;
export type ApiKeyHeader = (typeof apiKeyHeaders)[number];

/** The fields that upstreams take the most output tokens in, by the route they speak. */
export const outputLimitFields = {
  'chat/completions': ['max_tokens', 'max_completion_tokens'],
  completions: ['max_tokens'],
  responses: ['max_output_tokens'],
  messages: ['max_tokens'],
} as const satisfies Record<GenerationRoute, readonly string[]>;
export type OutputLimitField = (typeof outputLimitFields)[GenerationRoute][number];

/** Settings of targets that generate text. */
export interface GenerationTarget {
  /** `authorization` by default. */
  readonly apiKeyHeader?: ApiKeyHeader | undefined;
  /**
   * How streams of chat and text completions report usage: if asked, which is the default, `always`, or `never`, so that
   * the upstream mustn't be asked.
   */
  readonly streamUsage?: 'request' | 'always' | 'never' | undefined;
  /** What happens to the request when its client disconnects: it's canceled by default, or read to its end. */
  readonly onDisconnect?: 'cancel' | 'drain' | undefined;
  /** Limits how long a stream may take to begin. */
  readonly firstByteSeconds?: number | undefined;
  /** Limits how long a stream may pause. */
  readonly idleSeconds?: number | undefined;
  /** Where Keycard limits the output of a request without a limit. Only chat completions have a choice. */
  readonly outputLimitField?: OutputLimitField | undefined;
}

/** An upstream server that runs the model. */
export interface UpstreamTarget extends GenerationTarget {
  /** URL before the path of the task, such as `https://api.openai.com/v1`; without a trailing slash. */
  readonly baseUrl: string;
  /** Authenticates Keycard; undefined if the upstream needs none. */
  readonly apiKey: string | undefined;
  /** The upstream's name for the model. */
  readonly model: string;
  /** Share of the requests, relative to the other targets; above 0. */
  readonly weight: number;
  /** Limits how long connecting may take; 5 by default. */
  readonly connectSeconds?: number | undefined;
  /** For the whole request, including retries. */
  readonly timeoutSeconds: number;
}

/** Prices per million tokens, as decimals such as `0.02`. Kinds without a price have that of another kind. */
export type TokenPrices = { readonly [Kind in TokenKind]?: string | undefined };

/** What using a model costs, as decimals in the currency of the models file. */
export interface ModelPrice {
  readonly perMillionTokens?: TokenPrices | undefined;
  readonly perRequest?: string | undefined;
  readonly perThousandPages?: string | undefined;
  /** Prices of whole requests with more input tokens, ascending. Kinds that one doesn't name keep their price. */
  readonly above?: readonly PriceAbove[] | undefined;
}

export interface PriceAbove {
  readonly inputTokens: number;
  readonly perMillionTokens: TokenPrices;
}

export const defaultGenerationRoutes: readonly GenerationRoute[] = ['chat/completions'];

/** The most input tokens that a part of a request can count as, by kind of media. */
export interface MediaTokens {
  readonly image: number;
  readonly audio: number;
  readonly file: number;
}

/** Settings of models that generate text. */
export interface GenerationSettings {
  /** The routes that the upstreams speak, `chat/completions` by default. */
  readonly routes?: readonly GenerationRoute[] | undefined;
  /** The most tokens that the model can write in one response. Set for each model that generates text. */
  readonly maxOutputTokens?: number | undefined;
  /** Kinds that are missing have the defaults of `defaultMediaTokens`. */
  readonly mediaTokens?: { readonly [Kind in keyof MediaTokens]?: number | undefined } | undefined;
  /** Ids of the models that are tried, in order, when this one fails before its response begins. */
  readonly fallbacks?: readonly string[] | undefined;
  /** Id of the model that gets requests that are too long for this one. */
  readonly contextFallback?: string | undefined;
}

/** A model as the operator has configured it. */
export interface ModelDefinition extends GenerationSettings {
  readonly id: string;
  /** Other names that requests can use. */
  readonly aliases: readonly string[];
  readonly task: Task;
  readonly ownedBy: string;
  /** When the model was published, in Unix seconds. */
  readonly createdSeconds: number;
  /** The languages that the model was trained for, as ISO 639-1 codes; undefined if unknown. */
  readonly languages?: readonly string[] | undefined;
  readonly price?: ModelPrice | undefined;
  readonly servedBy: EngineDefinition | { readonly targets: readonly UpstreamTarget[] };
}
