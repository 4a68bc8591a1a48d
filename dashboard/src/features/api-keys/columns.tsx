import { Anchor, Badge, Code } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKey } from '../../api/schema.js';
import { type Column, NoValue } from '../../components/DataTable.js';
import { Time } from '../../components/Time.js';
import { useNow } from '../../components/use-now.js';
import { ApiKeyMenu } from './ApiKeyMenu.js';
import type { ApiKeysSearch } from './search.js';

/** What the table of keys shows of each. */
export const apiKeyColumns: Column<ApiKey, ApiKeysSearch['orderBy']>[] = [
  {
    key: 'name',
    header: 'Name',
    sortKey: 'name',
    render: ({ id, name }) => (
      <Anchor fw={500} c="inherit" renderRoot={(props) => <Link to="/dashboard/keys/$id" params={{ id }} {...props} />}>
        {name}
      </Anchor>
    ),
  },
  { key: 'hint', header: 'Key', render: ({ hint }) => <Code>{hint}…</Code>, visibleFrom: 'xs' },
  {
    key: 'createdAt',
    header: 'Created',
    sortKey: 'createdAt',
    render: ({ createdAt }) => <Time at={createdAt} />,
    visibleFrom: 'sm',
  },
  {
    key: 'lastUsedAt',
    header: 'Last used',
    render: ({ lastUsedAt }) => (lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />),
    visibleFrom: 'sm',
  },
  {
    key: 'expiresAt',
    header: 'Expires',
    render: ({ expiresAt }) => <Expiry expiresAt={expiresAt} />,
    visibleFrom: 'md',
  },
  { key: 'menu', header: '', render: (apiKey) => <ApiKeyMenu apiKey={apiKey} />, align: 'right' },
];

function Expiry({ expiresAt }: { expiresAt?: string }) {
  const now = useNow();
  if (expiresAt === undefined) return <NoValue>Never</NoValue>;
  if (Date.parse(expiresAt) > now) return <Time at={expiresAt} />;
  return (
    <Badge color="red" variant="light">
      Expired
    </Badge>
  );
}
