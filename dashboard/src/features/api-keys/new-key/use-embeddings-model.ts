import { useEffect, useState } from 'react';
import { bearerHeader, publicApi } from '../../../api/public-api.js';
import { unwrap } from '../../../api/service-error.js';

interface EmbeddingsModel {
  /** `undefined` if there is none, or while loading. */
  model: string | undefined;
  isLoading: boolean;
}

/** Finds an embeddings model for the key. Bypasses the query cache, which would keep the key in memory. */
export function useEmbeddingsModel(apiKey: string): EmbeddingsModel {
  const [state, setState] = useState<EmbeddingsModel>({ model: undefined, isLoading: true });
  useEffect(() => {
    const controller = new AbortController();
    void findEmbeddingsModel(apiKey, controller.signal)
      // Without a model, the code samples list the models.
      .catch(() => undefined)
      .then((model) => {
        if (!controller.signal.aborted) setState({ model, isLoading: false });
      });
    return () => controller.abort();
  }, [apiKey]);
  return state;
}

async function findEmbeddingsModel(apiKey: string, signal: AbortSignal): Promise<string | undefined> {
  const { data } = await unwrap(publicApi.GET('/v1/models', { headers: bearerHeader(apiKey), signal }));
  return data.find(({ task }) => task === 'embeddings')?.id;
}
