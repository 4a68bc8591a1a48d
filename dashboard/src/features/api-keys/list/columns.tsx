import { Anchor, Badge, Box, Checkbox, Code, Group, type MantineSize, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ApiKey } from '../../../api/schema.js';
import { type Column, NoValue } from '../../../ui/DataTable.js';
import { Time } from '../../../ui/Time.js';
import { useNow } from '../../../hooks/use-now.js';
import { useNarrowerThan } from '../../../hooks/use-narrower-than.js';
import { queryClient } from '../../../query-client.js';
import { apiKeyQuery, type ListedApiKey } from '../api-keys.js';
import { ApiKeyMenu } from './ApiKeyMenu.js';
import classes from '../key-name.module.css';
import { type ApiKeyAction, stateOf } from '../key-actions.js';
import type { ApiKeysSearch } from './search.js';

interface SelectionColumn {
  apiKeys: ApiKey[];
  /** Ids. */
  selected: ReadonlySet<string>;
  onSelect: (selected: ReadonlySet<string>) => void;
}

/** A column with a checkbox for each key, and one for all keys of the page. */
export function selectionColumn({ apiKeys, selected, onSelect }: SelectionColumn): Column<ApiKey> {
  const count = apiKeys.filter(({ id }) => selected.has(id)).length;
  const toggle = (ids: string[], isSelected: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isSelected) next.add(id);
      else next.delete(id);
    }
    onSelect(next);
  };
  return {
    key: 'select',
    header: (
      <Checkbox
        aria-label="Select all keys on this page"
        checked={count > 0 && count === apiKeys.length}
        indeterminate={count > 0 && count < apiKeys.length}
        onChange={({ currentTarget }) =>
          toggle(
            apiKeys.map(({ id }) => id),
            currentTarget.checked,
          )
        }
      />
    ),
    render: ({ id, name }) => (
      <Checkbox
        aria-label={`Select ${name}`}
        checked={selected.has(id)}
        onChange={({ currentTarget }) => toggle([id], currentTarget.checked)}
      />
    ),
  };
}

/**
 * The columns of the API keys table.
 *
 * @param hint that the keys were found by, which may be that of a previous key
 */
export function apiKeyColumns(
  onAction: (action: ApiKeyAction) => void,
  hint: string | undefined,
): Column<ApiKey, ApiKeysSearch['orderBy']>[] {
  return [
    {
      key: 'name',
      header: 'Name',
      sortKey: 'name',
      render: (apiKey) => (
        <>
          <Name apiKey={apiKey} />
          {hint !== undefined && hint !== apiKey.hint && (
            <Text size="xs" c="dimmed">
              Previous key: {hint}…
            </Text>
          )}
        </>
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
      sortKey: 'lastUsedAt',
      render: ({ lastUsedAt }) => (lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />),
      visibleFrom: 'sm',
    },
    {
      key: 'expiresAt',
      header: 'Expires',
      sortKey: 'expiresAt',
      render: ({ expiresAt }) => (expiresAt === undefined ? <NoValue>Never</NoValue> : <Time at={expiresAt} />),
      visibleFrom: 'md',
    },
    {
      key: 'menu',
      header: 'Actions',
      hidesHeader: true,
      render: (apiKey) => <ApiKeyMenu apiKey={apiKey} onAction={onAction} />,
      align: 'right',
    },
  ];
}

function Name({ apiKey }: { apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const prefetch = () => void queryClient.prefetchQuery(apiKeyQuery(id));
  return (
    <>
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
      {useNarrowerThan('md') && <HiddenColumns apiKey={apiKey} />}
    </>
  );
}

/** On small screens, a second line has what the hidden columns would show. */
function HiddenColumns({ apiKey: { hint, createdAt, lastUsedAt, expiresAt } }: { apiKey: ApiKey }) {
  return (
    <Group gap="0 8px" mt={2} fz="xs" c="dimmed">
      <Box component="span" hiddenFrom="xs">
        {hint}…
      </Box>
      <Box component="span" hiddenFrom="sm">
        Created <Time at={createdAt} />
      </Box>
      <Box component="span" hiddenFrom="sm">
        {lastUsedAt === undefined ? (
          'Never used'
        ) : (
          <>
            Used <Time at={lastUsedAt} />
          </>
        )}
      </Box>
      {expiresAt !== undefined && (
        <span>
          Expires <Time at={expiresAt} />
        </span>
      )}
    </Group>
  );
}

const badges = {
  // Light gray is the color of a hovered row.
  disabled: { color: 'gray', variant: 'default', label: 'Disabled' },
  expired: { color: 'red', variant: 'light', label: 'Expired' },
  // Yellow text would be illegible.
  expiring: { color: 'yellow', variant: 'filled', label: 'Expires soon' },
  unused: { color: 'gray', variant: 'default', label: 'Unused' },
};

/** Marks a key that is disabled, expired, about to expire, or unused for 30 days. */
export function StateBadge({ apiKey, size }: { apiKey: ListedApiKey; size?: MantineSize }) {
  const state = stateOf(apiKey, useNow());
  if (state === undefined) return null;
  const { color, variant, label } = badges[state];
  return (
    <Badge color={color} variant={variant} size={size} autoContrast>
      {label}
    </Badge>
  );
}
