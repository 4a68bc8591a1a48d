import type { EngineDefinition } from '../engines/engine-definition.js';

/** What a model does; decides which route serves it. */
export const tasks = ['embeddings', 'ocr'] as const;
export type Task = (typeof tasks)[number];

/** An upstream server that runs the model. */
export interface UpstreamTarget {
  /** URL before `/embeddings` or `/ocr`, such as `https://api.openai.com/v1`; without a trailing slash. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer …`; undefined if the upstream needs none. */
  readonly apiKey: string | undefined;
  /** The upstream's name for the model. */
  readonly model: string;
  /** Share of the requests, relative to the other targets; above 0. */
  readonly weight: number;
  /** For the whole request, including retries. */
  readonly timeoutSeconds: number;
}

/** What using a model costs, in the currency of the models file. */
export interface ModelPrice {
  /** Only embeddings models have it. */
  readonly perMillionTokens?: number | undefined;
  /** Only OCR models have it. */
  readonly perThousandPages?: number | undefined;
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
