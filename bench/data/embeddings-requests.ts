import type { ModelDefinition } from '../../src/config/model-definition.js';
import type { Load } from '../processes/load-generator.js';
import { makeSentences } from './sentences.js';

/** A model that the mock upstream serves. */
export function mockModel(url: string): ModelDefinition {
  const target = { baseUrl: `${url}/v1`, apiKey: 'not checked', model: 'mock', weight: 1, timeoutSeconds: 60 };
  const named = { id: 'mock', aliases: [], ownedBy: 'bench', createdSeconds: 0 };
  return { ...named, task: 'embeddings', servedBy: { targets: [target] } };
}

/** The requests of OpenAI's SDKs. */
export function embeddingsRequests(keys: readonly string[]): Load['requests'] {
  return makeSentences(keys.length).map((input, index) => ({
    method: 'POST',
    path: '/v1/embeddings',
    headers: { authorization: `Bearer ${keys[index]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'mock', input, encoding_format: 'base64' }),
  }));
}
