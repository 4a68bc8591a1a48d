/** What a model does; decides which route serves it. */
export const tasks = ['embeddings', 'ocr'] as const;
export type Task = (typeof tasks)[number];

/** How token vectors are combined into one. */
export const poolings = ['mean', 'cls', 'last_token'] as const;

/** Precisions of model weights. */
export const dtypes = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;

/** How an embedded engine runs a sentence-transformers model. */
export interface TransformersOptions {
  /** Absolute path of a folder, or a name on the hub such as `Xenova/all-MiniLM-L6-v2`. */
  readonly source: string;
  /** How token vectors are combined into one. */
  readonly pooling: (typeof poolings)[number];
  /** Whether vectors are scaled to length 1. */
  readonly normalize: boolean;
  /** Prepended to each text, such as `query: `. */
  readonly prefix: string;
  /** Precision of the weights; decides which file of the model is loaded. */
  readonly dtype: (typeof dtypes)[number];
  /** Maximum tokens per text, if the model would accept more; memory grows with their square. */
  readonly maxTokens: number;
  /** Threads that run the model; each holds all of it in memory. */
  readonly threads: number;
  /** Folder for files from the hub. */
  readonly downloadFolder: string;
}

/** How an embedded engine runs a model of one vector for each token. */
export interface StaticOptions {
  /** Absolute path of the model's folder. */
  readonly source: string;
  /** Whether vectors are scaled to length 1; undefined: as the model says. */
  readonly normalize: boolean | undefined;
  /** Prepended to each text, such as `query: `. */
  readonly prefix: string;
  /** Maximum tokens per text. */
  readonly maxTokens: number;
  /** Threads that run the model; each holds all of it in memory. */
  readonly threads: number;
}

/** How a model runs inside Keycard. */
export type EngineDefinition =
  | { readonly engine: 'universal-sentence-encoder-lite' }
  | { readonly engine: 'tesseract'; readonly languages: readonly string[] | 'auto' }
  | ({ readonly engine: 'static' } & StaticOptions)
  | ({ readonly engine: 'transformers' } & TransformersOptions);

export type EngineName = EngineDefinition['engine'];

/** The task of each engine. */
export const engineTasks = {
  'universal-sentence-encoder-lite': 'embeddings',
  tesseract: 'ocr',
  static: 'embeddings',
  transformers: 'embeddings',
} as const satisfies Record<EngineName, Task>;

/** Languages of bundled models. */
export const engineLanguages: Partial<Record<EngineName, readonly string[]>> = {
  'universal-sentence-encoder-lite': ['en'],
};

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
  readonly servedBy: EngineDefinition | { readonly targets: readonly UpstreamTarget[] };
}
