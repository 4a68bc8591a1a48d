import type { TokenKind } from '../common/rules/price-rules.js';
import type { Task } from '../common/rules/tasks.js';
import type { EngineDefinition } from '../engines/engine-definition.js';

/** An upstream server that runs the model. */
export interface UpstreamTarget {
  /** URL before the path of the task, such as `https://api.openai.com/v1`; without a trailing slash. */
  readonly baseUrl: string;
  /** Authenticates Keycard; undefined if the upstream needs none. */
  readonly apiKey: string | undefined;
  /** The upstream's name for the model. */
  readonly model: string;
  /** Share of the requests, relative to the other targets; above 0. */
  readonly weight: number;
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

/** A model as the operator has configured it. */
export interface ModelDefinition {
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
