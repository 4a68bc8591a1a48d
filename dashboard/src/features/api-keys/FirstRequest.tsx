import { Group, Loader, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { refresh } from '../../api/refresh.js';
import { usePermission } from '../../session/me.js';
import { hasSucceededQuery } from './key-usage.js';
import { apiKeyQuery } from '../../common/api-keys/api-keys.js';

/** Between two looks for requests with a new key. */
export const pollMilliseconds = 2000;

interface FirstRequestProps {
  apiKeyId: string;
  /** Whether a request failed. Then the first one that succeeds is of interest. */
  hasFailed?: boolean;
}

/** Waits until a new key is used for the first time. */
export function FirstRequest({ apiKeyId, hasFailed = false }: FirstRequestProps) {
  const mayGet = usePermission('get-api-keys');
  const { data } = useQuery({
    ...apiKeyQuery(apiKeyId),
    enabled: mayGet,
    refetchInterval: ({ state }) => (isUsed(state.data) ? false : pollMilliseconds),
  });
  const { data: hasSucceeded = false } = useQuery({
    ...hasSucceededQuery(apiKeyId),
    enabled: usePermission('get-usage') && isUsed(data),
    refetchInterval: ({ state }) => (state.data === true ? false : pollMilliseconds),
  });
  const isReceived = isUsed(data) && (!hasFailed || hasSucceeded);
  // The list shows when the key was last used.
  useEffect(() => {
    if (isReceived) void refresh('api-keys', 'usage');
  }, [isReceived]);
  if (!mayGet) return null;
  return (
    <Group gap="xs" role="status">
      {isReceived ? (
        <>
          <IconCircleCheck size={18} color="var(--mantine-color-teal-filled)" aria-hidden />
          <Text size="sm">{hasFailed ? 'A request succeeded' : 'First request received'}</Text>
        </>
      ) : (
        <>
          <Loader size={16} aria-hidden />
          <Text size="sm">{hasFailed ? 'Waiting for a successful request…' : 'Waiting for the first request…'}</Text>
        </>
      )}
    </Group>
  );
}

function isUsed(apiKey: { lastUsedAt?: string | null } | undefined): boolean {
  return typeof apiKey?.lastUsedAt === 'string';
}
