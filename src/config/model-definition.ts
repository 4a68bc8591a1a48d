/** What a model is for: which route serves it. */
export const tasks = ['embeddings', 'ocr'] as const;
export type Task = (typeof tasks)[number];

/** How the vectors of tokens become one. */
export const poolings = ['mean', 'cls', 'last_token'] as const;

/** Precisions of weights. */
export const dtypes = ['fp32', 'fp16', 'q8', 'int8', 'uint8', 'q4', 'q4f16', 'bnb4'] as const;

/** How an embedded engine is to run a sentence-transformers model. */
export interface TransformersOptions {
  /** The absolute path of a folder, or a name on the hub such as `Xenova/all-MiniLM-L6-v2`. */
  readonly source: string;
  /** How the vectors of tokens become one. */
  readonly pooling: (typeof poolings)[number];
  /** Whether vectors are scaled to length 1. */
  readonly normalize: boolean;
  /** Put before each text, such as `query: `. */
  readonly prefix: string;
  /** Precision of the weights, which is which file of the model is loaded. */
  readonly dtype: (typeof dtypes)[number];
  /** The most tokens of one text, where the model itself could see more; memory grows with their square. */
  readonly maxTokens: number;
  /** How many threads run it; each holds the whole model in memory. */
  readonly threads: number;
  /** Where files from the hub are kept. */
  readonly downloadFolder: string;
}

/** Runs the model on this machine. */
export type EngineDefinition =
  | { readonly engine: 'universal-sentence-encoder-lite' }
  | { readonly engine: 'tesseract'; readonly languages: readonly string[] }
  | { readonly engine: 'transformers'; readonly options: TransformersOptions };

/** What each engine is for. */
export const engineTasks = {
  'universal-sentence-encoder-lite': 'embeddings',
  tesseract: 'ocr',
  transformers: 'embeddings',
} as const satisfies Record<EngineDefinition['engine'], Task>;

/** A server that runs the model. */
export interface UpstreamTarget {
  /** What goes before `/embeddings` or `/ocr`, such as `https://api.openai.com/v1`; without a slash at its end. */
  readonly baseUrl: string;
  /** Sent as `Authorization: Bearer …`; undefined where none is asked for. */
  readonly apiKey: string | undefined;
  /** Name of the model there. */
  readonly model: string;
  /** Share of the requests, relative to the other targets; above 0. */
  readonly weight: number;
  /** For the whole of a request, retries included. */
  readonly timeoutSeconds: number;
}

/** A model as the operator has defined it. */
export interface ModelDefinition {
  readonly id: string;
  /** Other names that requests may use. */
  readonly aliases: readonly string[];
  readonly task: Task;
  readonly ownedBy: string;
  /** When the model was published, in Unix seconds. */
  readonly createdSeconds: number;
  readonly servedBy: EngineDefinition | { readonly targets: readonly UpstreamTarget[] };
}
