import { useDidUpdate } from '@mantine/hooks';
import { useRef } from 'react';
import type { ApiKeyDetails } from '../../../api/schema.js';
import { queryClient } from '../../../query-client.js';
import { failedRequestsQuery } from '../../usage/failures/failures.js';
import { apiKeyUsageQuery } from '../../usage/usage.js';

/**
 * Refetches the usage and failed requests of a key along with its details.
 *
 * @param updatedAt when the details were fetched
 */
export function useUsageRefresh({ id, lastUsedAt }: ApiKeyDetails, updatedAt: number): void {
  const last = useRef({ lastUsedAt, isUsed: true });
  useDidUpdate(() => {
    const isUsed = lastUsedAt !== last.current.lastUsedAt;
    void queryClient.invalidateQueries({ queryKey: failedRequestsQuery(id).queryKey });
    // Usage takes four requests. Once more after each use, because its time is only accurate to a second.
    if (isUsed || last.current.isUsed) {
      void queryClient.invalidateQueries({ queryKey: apiKeyUsageQuery(id).queryKey });
    }
    last.current = { lastUsedAt, isUsed };
  }, [updatedAt]);
}
