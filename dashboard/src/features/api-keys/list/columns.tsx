import { Anchor, Badge, Box, Checkbox, Code, Group, type MantineSize, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ListedApiKey as ApiKey } from '../../../api/schema.js';
import { describeUse, RecentUse } from './RecentUse.js';
import { type Column, NoValue } from '../../../ui/DataTable.js';
import { Time } from '../../../ui/Time.js';
import { useNow } from '../../../hooks/use-now.js';
import { queryClient } from '../../../query-client.js';
import { TagList } from '../../../common/api-keys/TagList.js';
import { apiKeyQuery, type ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { PersonLink } from '../../../common/people/PersonLink.js';
import { ApiKeyMenu } from './ApiKeyMenu.js';
import classes from '../../../common/api-keys/key-name.module.css';
import { type ApiKeyAction, stateOf } from '../key-actions.js';
import type { ApiKeysSearch } from '../../../common/api-keys/search.js';

interface SelectionColumn {
  apiKeys: ApiKey[];
  /** By id; may include keys of other pages. */
  selected: SelectedKeys;
  onSelect: (selected: SelectedKeys) => void;
}

/** Selected keys by id. */
export type SelectedKeys = ReadonlyMap<string, ListedApiKey>;

/** A column with a checkbox for each key, and one for all keys of the page. */
export function selectionColumn({ apiKeys, selected, onSelect }: SelectionColumn): Column<ApiKey> {
  const count = apiKeys.filter(({ id }) => selected.has(id)).length;
  const toggle = (keys: ApiKey[], isSelected: boolean) => {
    const next = new Map(selected);
    for (const apiKey of keys) {
      if (isSelected) next.set(apiKey.id, apiKey);
      else next.delete(apiKey.id);
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
        onChange={({ currentTarget }) => toggle(apiKeys, currentTarget.checked)}
      />
    ),
    render: (apiKey) => (
      <Checkbox
        aria-label={`Select ${apiKey.name}`}
        checked={selected.has(apiKey.id)}
        onChange={({ currentTarget }) => toggle([apiKey], currentTarget.checked)}
      />
    ),
  };
}

interface TagsColumn {
  /** Whether any key on the page has tags. */
  hasTags: boolean;
  /** Shows the keys with a tag. */
  onTag: (tag: string) => void;
}

const tagsColumn = (onTag: TagsColumn['onTag']): Column<ApiKey> => ({
  key: 'tags',
  header: 'Tags',
  render: ({ tags }) => <TagList tags={tags} onChoose={onTag} />,
  visibleFrom: 'md',
  whenHidden: ({ tags }) => (tags.length === 0 ? null : <TagList tags={tags} onChoose={onTag} />),
});

/**
 * The columns of the API keys table.
 *
 * @param hint that the keys were found by, which may belong to a previous secret
 */
export function apiKeyColumns(
  onAction: (action: ApiKeyAction) => void,
  hint: string | undefined,
  { hasTags, onTag }: TagsColumn,
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
              Previous secret: {hint}…
            </Text>
          )}
        </>
      ),
      isName: true,
    },
    {
      key: 'hint',
      header: 'Key',
      render: ({ hint }) => <Code>{hint}…</Code>,
      visibleFrom: 'xs',
      whenHidden: ({ hint }) => `${hint}…`,
    },
    ...(hasTags ? [tagsColumn(onTag)] : []),
    {
      key: 'creator',
      header: 'Created by',
      sortKey: 'creator',
      render: (apiKey) => <Creator apiKey={apiKey} />,
      visibleFrom: 'lg',
      whenHidden: ({ createdBy, createdByServiceAccount: account }) => createdBy?.name ?? account?.name ?? null,
      breaksWords: true,
    },
    {
      key: 'createdAt',
      header: 'Created',
      sortKey: 'createdAt',
      render: ({ createdAt }) => <Time at={createdAt} />,
      visibleFrom: 'lg',
      whenHidden: ({ createdAt }) => (
        <>
          Created <Time at={createdAt} />
        </>
      ),
    },
    {
      key: 'lastUsedAt',
      header: 'Last used',
      sortKey: 'lastUsedAt',
      render: ({ lastUsedAt }) => (lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />),
      visibleFrom: 'md',
      whenHidden: ({ lastUsedAt }) =>
        lastUsedAt === undefined ? (
          'Never used'
        ) : (
          <>
            Used <Time at={lastUsedAt} />
          </>
        ),
    },
    {
      key: 'recentUsage',
      header: 'Last 7 days',
      render: (apiKey) => <RecentUse {...apiKey} />,
      visibleFrom: 'md',
      whenHidden: describeUse,
    },
    {
      key: 'expiresAt',
      header: 'Expires',
      sortKey: 'expiresAt',
      render: ({ expiresAt }) => (expiresAt === undefined ? <NoValue>Never</NoValue> : <Time at={expiresAt} />),
      visibleFrom: 'lg',
      whenHidden: ({ expiresAt }) =>
        expiresAt === undefined ? null : (
          <>
            Expires <Time at={expiresAt} />
          </>
        ),
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

function Creator({ apiKey: { createdBy, createdByServiceAccount } }: { apiKey: ApiKey }) {
  const person = createdBy ?? createdByServiceAccount;
  if (person === undefined) return <NoValue>Unknown</NoValue>;
  return (
    <Box miw={140}>
      <PersonLink person={person} isServiceAccount={createdBy === undefined} />
    </Box>
  );
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
  // Light gray is the color of a hovered row.
  disabled: { color: 'gray', variant: 'default', label: 'Disabled' },
  expired: { color: 'red', variant: 'light', label: 'Expired' },
  // Yellow text would be illegible.
  leaked: { color: 'red', variant: 'filled', label: 'Leaked' },
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
