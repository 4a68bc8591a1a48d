/** The parts of this optional package that Keycard uses, so that Keycard compiles without it. */
declare module '@huggingface/transformers' {
  export const LogLevel: { readonly NONE: number };

  export const env: {
    remoteHost: string;
    allowLocalModels: boolean;
    allowRemoteModels: boolean;
    cacheDir: string;
    logLevel: number;
  };

  export interface PreTrainedTokenizer {
    readonly all_special_ids: number[];
    readonly unk_token_id?: number;
    readonly model_max_length: unknown;
    /** Some tokenizers return undefined for words outside the vocabulary. */
    encode(text: string): (number | undefined)[];
  }

  export interface PreTrainedModel {
    readonly config: object;
    (inputs: Record<string, Tensor>): Promise<Record<string, Tensor | undefined>>;
  }

  export interface ModelOptions {
    readonly dtype: string;
    readonly device: string;
    readonly session_options: Record<string, number>;
  }

  export const AutoTokenizer: { from_pretrained(source: string): Promise<PreTrainedTokenizer> };
  export const AutoModel: { from_pretrained(source: string, options: ModelOptions): Promise<PreTrainedModel> };

  export class Tensor {
    constructor(type: string, data: BigInt64Array, dims: number[]);
    readonly dims: number[];
    readonly data: unknown;
    to(type: string): Tensor;
  }
}
