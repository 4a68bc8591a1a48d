import { Checkbox } from '@mantine/core';
import type { ListedApiKey as ApiKey } from '../../../api/schema.js';
import type { ApiKeysSearch } from '../../../common/api-keys/search.js';
import { TagList } from '../../../common/api-keys/TagList.js';
import { PersonLink } from '../../../common/people/PersonLink.js';
import { type Column, NoValue } from '../../../ui/DataTable.js';
import { Time } from '../../../ui/Time.js';
import type { ApiKeyAction } from '../key-actions.js';
import { describePreviousSecret } from '../known-secrets.js';
import { ApiKeyMenu } from './ApiKeyMenu.js';
import { createdColumn, KeyName, lastUsedColumn } from './key-columns.js';
import { type CostFormat, describeUse, RecentUse } from './RecentUse.js';
import classes from './KeyCell.module.css';
import type { SelectedKeys } from './selected-keys.js';

interface SelectionColumn {
  apiKeys: ApiKey[];
  /** By id; may include keys of other pages. */
  selected: SelectedKeys;
  onSelect: (selected: SelectedKeys) => void;
}

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
        // Until they are loaded, a click would do nothing.
        disabled={apiKeys.length === 0}
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

interface ApiKeyColumns {
  onAction: (action: ApiKeyAction) => void;
  /** That the keys were found by, which may belong to a previous secret. */
  hint: string | undefined;
  formatCost: CostFormat;
  currency: string | undefined;
}

/** The columns of the API keys table. */
export function apiKeyColumns(props: ApiKeyColumns): Column<ApiKey, ApiKeysSearch['orderBy']>[] {
  const { onAction, hint, formatCost, currency } = props;
  return [
    {
      key: 'name',
      header: 'Name',
      sortKey: 'name',
      render: (apiKey) => (
        <div className={classes.cell}>
          <KeyName apiKey={apiKey} />
          <div className={classes.details}>
            <span className={classes.hint}>{apiKey.hint}…</span>
            <TagList tags={apiKey.tags ?? []} />
            {apiKey.previousSecretExpiresAt !== undefined && <span>{describePreviousSecret(apiKey)}</span>}
            {hint !== undefined && hint !== apiKey.hint && <span>Previous secret: {hint}…</span>}
          </div>
        </div>
      ),
      isName: true,
    },
    {
      key: 'creator',
      header: 'Created by',
      sortKey: 'creator',
      render: (apiKey) => <Creator apiKey={apiKey} />,
      visibleFrom: 'lg',
      whenHidden: ({ createdBy, createdByServiceAccount: account }) => createdBy?.name ?? account?.name ?? null,
      breaksWords: true,
    },
    { ...createdColumn, sortKey: 'createdAt', visibleFrom: 'xl' },
    { ...lastUsedColumn, sortKey: 'lastUsedAt', visibleFrom: 'md' },
    {
      key: 'recentUsage',
      header: 'Last 7 days, budget',
      render: (apiKey) => <RecentUse {...apiKey} formatCost={formatCost} currency={currency} />,
      visibleFrom: 'md',
      whenHidden: (apiKey) => describeUse({ ...apiKey, formatCost, currency }),
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
    <div className={classes.creator}>
      <PersonLink person={person} isServiceAccount={createdBy === undefined} />
    </div>
  );
}
