import { useEffect, useState } from 'react';
import { authorize, publicApi } from '../../../api/public-api.js';
import { unwrap } from '../../../api/service-error.js';

interface EmbeddingsModel {
  /** `undefined` when there is none, or while it is not known. */
  model: string | undefined;
  isLoading: boolean;
}

/**
 * A model that the key can make embeddings with. Asked for outside of the query cache, which would keep the key for
 * as long as the answer.
 */
export function useEmbeddingsModel(apiKey: string): EmbeddingsModel {
  const [state, setState] = useState<EmbeddingsModel>({ model: undefined, isLoading: true });
  useEffect(() => {
    const leaving = new AbortController();
    void findEmbeddingsModel(apiKey, leaving.signal)
      // Examples are a help: without a model, there are others.
      .catch(() => undefined)
      .then((model) => {
        if (!leaving.signal.aborted) setState({ model, isLoading: false });
      });
    return () => leaving.abort();
  }, [apiKey]);
  return state;
}

async function findEmbeddingsModel(apiKey: string, signal: AbortSignal): Promise<string | undefined> {
  const { data } = await unwrap(publicApi.GET('/v1/models', { headers: authorize(apiKey), signal }));
  return data.find(({ task }) => task === 'embeddings')?.id;
}
