import type { EmbeddingEngine } from '../../engines/embeddings/embedding-engine.js';
import type { OcrEngine } from '../../engines/ocr/ocr-engine.js';
import type { ModelDefinition, UpstreamTarget } from '../../config/model-definition.js';

/** Served by upstreams. */
interface Upstream {
  readonly targets: readonly UpstreamTarget[];
}

type Named = Pick<ModelDefinition, 'id' | 'aliases' | 'ownedBy' | 'createdSeconds' | 'languages' | 'price'>;

export interface EmbeddingsModel extends Named {
  readonly task: 'embeddings';
  readonly servedBy: { readonly engine: EmbeddingEngine } | Upstream;
}

export interface OcrModel extends Named {
  readonly task: 'ocr';
  readonly servedBy: { readonly engine: OcrEngine } | Upstream;
}

/** A model that clients can name. */
export type Model = EmbeddingsModel | OcrModel;
