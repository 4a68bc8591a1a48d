import type { PriceField } from '../common/rules/meters.js';
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

/** What using a model costs, in the currency of the models file. Has the fields of its task. */
export type ModelPrice = { readonly [Field in PriceField]?: number | undefined };

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
