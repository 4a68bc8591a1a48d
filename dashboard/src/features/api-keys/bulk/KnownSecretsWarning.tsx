import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { unwrap } from '../../../api/service-error.js';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';

/** Ids that one request takes. */
const maxIds = 100;

/** Warns if former members know secrets of the keys. Of more keys than one request takes, it checks the first. */
export function KnownSecretsWarning({ keys }: { keys: readonly ListedApiKey[] }) {
  const id = keys.slice(0, maxIds).map((key) => key.id);
  const query = { id, state: 'known-to-former-members' as const, perPage: 1 };
  const { data } = useQuery({
    queryKey: ['api-keys', 'known', id],
    queryFn: ({ signal }) => unwrap(api.GET('/api-keys', { params: { query }, signal })),
  });
  if (data === undefined || data.total === 0) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
      Removed members or deleted service accounts can use{' '}
      {data.total === keys.length ? 'these keys' : 'some of these keys'} until the current secrets are revoked.
    </Alert>
  );
}
