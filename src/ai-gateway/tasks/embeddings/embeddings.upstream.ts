import { bearer, type UpstreamProtocol } from '../../upstreams/upstream-protocol.js';

/** OpenAI's `POST /embeddings`. */
export const embeddingsProtocol: UpstreamProtocol = {
  task: 'embeddings',
  path: '/embeddings',
  authenticate: bearer,
  // Embeddings have no output tokens, so the two are the same.
  usageFields: new Map([
    ['usage.prompt_tokens', 'inputTokens'],
    ['usage.total_tokens', 'inputTokens'],
  ]),
};
