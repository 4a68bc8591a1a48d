import { useState } from 'react';
import { refresh } from '../../../api/refresh.js';
import { ServiceError } from '../../../api/service-error.js';
import { createKeptState } from '../../../hooks/kept-state.js';
import type { PlaygroundKey } from './playground-key.js';
import { abandonTemporaryKey, deleteTemporaryKey } from './temporary-keys.js';

/** Sends a request with the selected key. */
export type WithKey = <Result>(request: (key: string) => Promise<Result>) => Promise<Result>;

const useKeptKey = createKeptState<PlaygroundKey | undefined>(undefined);

/** The key used by the playground, or why the service rejected the previous one. */
export function usePlaygroundKey() {
  const [chosen, keptKey] = useKeptKey();
  const [rejection, setRejection] = useState<string>();
  const [hasChanged, setHasChanged] = useState(false);
  const choose = (key: PlaygroundKey | undefined, reason?: string) => {
    if (chosen?.temporary !== undefined) forget(chosen.temporary.id, reason);
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

/** Deletes a temporary key that the user has replaced. One that was rejected may be gone already. */
function forget(id: string, rejection: string | undefined): void {
  if (rejection === undefined) void deleteTemporaryKey(id).then(() => refresh('api-keys'));
  else abandonTemporaryKey(id);
}
