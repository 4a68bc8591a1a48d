import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { keysOfCreatorQuery } from '../../../common/api-keys/api-keys.js';
import { formatCount } from '../../../lib/format-numbers.js';
import { usePermission } from '../../../session/me.js';
import { DataTable } from '../../../ui/DataTable.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { personKeyColumns } from './person-key-columns.js';

const maxKeys = 10;

interface CreatedKeysProps {
  /** Id of a user or service account. */
  creatorId: string;
  name: string;
}

/** The newest keys that someone created. Hidden from users who can't list keys. */
export function CreatedKeys(props: CreatedKeysProps) {
  return usePermission('get-api-keys') ? <Keys {...props} /> : null;
}

function Keys({ creatorId, name }: CreatedKeysProps) {
  const { data, error, refetch } = useQuery(keysOfCreatorQuery(creatorId, maxKeys, ['knownToFormerMembers']));
  return (
    <Paper withBorder p="lg" component="section" aria-label="API keys">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          API keys {data !== undefined && data.total > 0 && `(${formatCount(data.total)})`}
        </Title>
        {data !== undefined && data.total > 0 && (
          <Anchor size="sm" renderRoot={(props) => <Link to="/dashboard/keys" search={{ creatorId }} {...props} />}>
            {data.total > maxKeys ? 'View all' : 'View in API keys'}
          </Anchor>
        )}
      </Group>
      {error !== null && data === undefined && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {(data !== undefined || error === null) && (
        <DataTable
          label={`API keys created by ${name}`}
          columns={personKeyColumns}
          rows={data?.apiKeys}
          rowKey={({ id }) => id}
          skeletonRows={3}
          empty={
            <Text size="sm" c="dimmed">
              {name} created no API keys that still exist.
            </Text>
          }
        />
      )}
    </Paper>
  );
}
