import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { rotatedKeysQuery } from '../../../common/api-keys/api-keys.js';
import { formatCount } from '../../../lib/format-numbers.js';
import { usePermission } from '../../../session/me.js';
import { DataTable } from '../../../ui/DataTable.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { personKeyColumns } from './person-key-columns.js';

interface RotatedKeysProps {
  /** Id of the former member. */
  rotatedById: string;
  name: string;
}

/**
 * Other people's keys whose secrets a former member knows from rotating them. Hidden if there are none, and from users who can't
 * list keys.
 */
export function RotatedKeys(props: RotatedKeysProps) {
  return usePermission('get-api-keys') ? <Keys {...props} /> : null;
}

function Keys({ rotatedById, name }: RotatedKeysProps) {
  const { data, error, refetch } = useQuery(rotatedKeysQuery(rotatedById, ['knownToFormerMembers']));
  if (data === undefined) return error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data.total === 0) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-label="Keys of others">
      <Group justify="space-between">
        <Title order={2} size="h4">
          Keys of others ({formatCount(data.total)})
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/dashboard/keys" search={{ state: 'known-to-former-members' }} {...props} />}
        >
          View all known to removed members
        </Anchor>
      </Group>
      <Text size="sm" c="dimmed" mt={4} mb="sm">
        {name} rotated {data.total === 1 ? 'this key' : 'these keys'} and still knows{' '}
        {data.total === 1 ? 'a secret that works' : 'secrets that work'}.
      </Text>
      <DataTable
        label={`Keys of others that ${name} rotated`}
        columns={personKeyColumns}
        rows={data.apiKeys}
        rowKey={({ id }) => id}
        empty={null}
      />
    </Paper>
  );
}
