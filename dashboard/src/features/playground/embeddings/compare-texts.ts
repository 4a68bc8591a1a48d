import { authorize, publicApi } from '../../../api/public-api.js';
import type { Embedding } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { similarityMatrix } from './similarity.js';

interface ComparisonRequest {
  key: string;
  model: string;
  texts: string[];
}

/** How alike some texts are, and what it took to find out. */
export interface Comparison {
  texts: string[];
  /** Of each text to each, row by row. */
  similarities: number[][];
  dimensions: number;
  tokens: number;
  milliseconds: number;
}

/** Embeds the texts and compares the vectors. */
export async function compareTexts({ key, model, texts }: ComparisonRequest): Promise<Comparison> {
  const start = performance.now();
  const { data, usage } = await unwrap(
    publicApi.POST('/v1/embeddings', {
      body: { model, input: texts, encoding_format: 'float' },
      headers: authorize(key),
    }),
  );
  const milliseconds = performance.now() - start;
  const vectors = data.map(readVector);
  return {
    texts,
    similarities: similarityMatrix(vectors),
    dimensions: vectors[0]?.length ?? 0,
    tokens: usage.total_tokens,
    milliseconds,
  };
}

function readVector({ embedding }: Embedding): readonly number[] {
  if (typeof embedding === 'string') throw new Error('The model has answered something else than numbers.');
  return embedding;
}
