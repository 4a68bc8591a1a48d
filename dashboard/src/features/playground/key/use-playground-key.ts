import { useState } from 'react';
import { refresh } from '../../../api/refresh.js';
import { ServiceError } from '../../../api/service-error.js';
import { createKeptState } from '../../../hooks/kept-state.js';
import type { PlaygroundKey } from './playground-key.js';

/** Sends a request with the selected key. */
export type WithKey = <Result>(request: (key: string) => Promise<Result>) => Promise<Result>;

const useKeptKey = createKeptState<PlaygroundKey | undefined>(undefined);

/** The key used by the playground, or why the service rejected the previous one. */
export function usePlaygroundKey() {
  const [chosen, keptKey] = useKeptKey();
  const [rejection, setRejection] = useState<string>();
  const [hasChanged, setHasChanged] = useState(false);
  const choose = (key: PlaygroundKey | undefined, reason?: string) => {
    keptKey.set(key);
    setHasChanged(true);
    setRejection(reason);
  };
  const withKey: WithKey = async (request) => {
    try {
      return await request(chosen?.key ?? '');
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) choose(undefined, error.message);
      throw error;
    } finally {
      // Failed requests count as usage, too.
      void refresh('api-keys', 'usage');
    }
  };
  return { chosen, rejection, hasChanged, choose, withKey };
}
