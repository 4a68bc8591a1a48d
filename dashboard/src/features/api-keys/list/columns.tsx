import { Anchor, Badge, Code, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKey } from '../../../api/schema.js';
import { type Column, NoValue } from '../../../ui/DataTable.js';
import { Time } from '../../../ui/Time.js';
import { useNow } from '../../../hooks/use-now.js';
import { queryClient } from '../../../query-client.js';
import { apiKeyQuery, type ListedApiKey } from '../api-keys.js';
import { ApiKeyMenu } from './ApiKeyMenu.js';
import classes from '../key-name.module.css';
import { type ApiKeyAction, stateOf } from '../key-actions.js';
import type { ApiKeysSearch } from './search.js';

/** The columns of the API keys table. */
export function apiKeyColumns(onAction: (action: ApiKeyAction) => void): Column<ApiKey, ApiKeysSearch['orderBy']>[] {
  return [
    { key: 'name', header: 'Name', sortKey: 'name', render: (apiKey) => <Name apiKey={apiKey} /> },
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
      render: ({ expiresAt }) => (expiresAt === undefined ? <NoValue>Never</NoValue> : <Time at={expiresAt} />),
      visibleFrom: 'md',
    },
    {
      key: 'menu',
      header: '',
      render: (apiKey) => <ApiKeyMenu apiKey={apiKey} onAction={onAction} />,
      align: 'right',
    },
  ];
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const prefetch = () => void queryClient.prefetchQuery(apiKeyQuery(id));
  return (
    <Group gap="xs">
      <Anchor
        fz="inherit"
        fw={500}
        c="inherit"
        className={classes.name}
        renderRoot={(props) => (
          <Link to="/dashboard/keys/$id" params={{ id }} onMouseEnter={prefetch} onFocus={prefetch} {...props} />
        )}
      >
        {name}
      </Anchor>
      <StateBadge apiKey={apiKey} />
    </Group>
  );
}

const badges = {
  disabled: { color: 'gray', variant: 'light', label: 'Disabled' },
  expired: { color: 'red', variant: 'light', label: 'Expired' },
  // Yellow text would be illegible.
  expiring: { color: 'yellow', variant: 'filled', label: 'Expires soon' },
  unused: { color: 'gray', variant: 'light', label: 'Unused' },
};

/** Marks a key that is disabled, expired, about to expire, or unused for 30 days. */
export function StateBadge({ apiKey }: { apiKey: ListedApiKey }) {
  const state = stateOf(apiKey, useNow());
  if (state === undefined) return null;
  const { color, variant, label } = badges[state];
  return (
    <Badge color={color} variant={variant} autoContrast>
      {label}
    </Badge>
  );
}
