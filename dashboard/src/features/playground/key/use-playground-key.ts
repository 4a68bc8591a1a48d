import { useState } from 'react';
import { refresh } from '../../../api/refresh.js';
import { ServiceError } from '../../../api/service-error.js';
import type { PlaygroundKey } from './playground-key.js';

/** Sends a request with the key of the playground. */
export type WithKey = <Answer>(request: (key: string) => Promise<Answer>) => Promise<Answer>;

/** The key that the playground is used with, and what the service says once it refuses it. */
export function usePlaygroundKey() {
  const [chosen, setChosen] = useState<PlaygroundKey>();
  const [refusal, setRefusal] = useState<string>();
  const [hadKey, setHadKey] = useState(false);
  const choose = (key: PlaygroundKey | undefined, reason?: string) => {
    setChosen(key);
    setHadKey(true);
    setRefusal(reason);
  };
  const withKey: WithKey = async (request) => {
    try {
      return await request(chosen?.key ?? '');
    } catch (error) {
      if (error instanceof ServiceError && error.status === 401) choose(undefined, error.message);
      throw error;
    } finally {
      // What was used is counted, failures too.
      void refresh('api-keys', 'usage');
    }
  };
  return { chosen, refusal, hadKey, choose, withKey };
}
