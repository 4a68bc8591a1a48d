import { bearerHeader, publicApi } from '../../../api/public-api.js';
import type { Embedding } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { similarityMatrix } from './similarity.js';

interface ComparisonRequest {
  key: string;
  model: string;
  texts: string[];
}

/** The similarity of texts, and figures of the request. */
export interface Comparison {
  texts: string[];
  /** A row for each text, with its similarity to every text. */
  similarities: number[][];
  dimensions: number;
  tokens: number;
  /** Whether the model doesn't know the language or the words of a text. */
  hasUnknownText: boolean;
  milliseconds: number;
}

/** Embeds the texts and compares their vectors. */
export async function compareTexts({ key, model, texts }: ComparisonRequest): Promise<Comparison> {
  const start = performance.now();
  const request = publicApi.POST('/v1/embeddings', {
    body: { model, input: texts, encoding_format: 'float' },
    headers: bearerHeader(key),
  });
  const { data, usage } = await unwrap(request);
  const { response } = await request;
  const milliseconds = performance.now() - start;
  const vectors = data.map(readVector);
  return {
    texts,
    similarities: similarityMatrix(vectors),
    dimensions: vectors[0]?.length ?? 0,
    tokens: usage.total_tokens,
    hasUnknownText: response.headers.get('x-keycard-warning') === 'language',
    milliseconds,
  };
}

function readVector({ embedding }: Embedding): readonly number[] {
  if (typeof embedding === 'string') throw new Error('The response contains base64 instead of numbers.');
  return embedding;
}
