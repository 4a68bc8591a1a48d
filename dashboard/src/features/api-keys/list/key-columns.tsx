import { Code } from '@mantine/core';
import type { ListedApiKey as ApiKey } from '../../../api/schema.js';
import { apiKeyQuery } from '../../../common/api-keys/api-keys.js';
import classes from '../../../common/api-keys/key-name.module.css';
import { queryClient } from '../../../query-client.js';
import { type Column, NoValue } from '../../../ui/DataTable.js';
import { RowLink } from '../../../ui/RowLink.js';
import { Time } from '../../../ui/Time.js';
import { KnownBadge } from './KnownBadge.js';
import { StateBadge } from './StateBadge.js';

/** The first characters of a key, in each table of keys. */
export const hintColumn = {
  key: 'hint',
  header: 'Key',
  render: ({ hint }) => <Code>{hint}…</Code>,
  visibleFrom: 'xs',
  whenHidden: ({ hint }) => `${hint}…`,
} satisfies Column<ApiKey>;

/** When a key was created, in each table of keys. */
export const createdColumn = {
  key: 'createdAt',
  header: 'Created',
  render: ({ createdAt }) => <Time at={createdAt} />,
  whenHidden: ({ createdAt }) => (
    <>
      Created <Time at={createdAt} />
    </>
  ),
} satisfies Column<ApiKey>;

/** When a key was last used, in each table of keys. */
export const lastUsedColumn = {
  key: 'lastUsedAt',
  header: 'Last used',
  render: ({ lastUsedAt }) => (lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />),
  whenHidden: ({ lastUsedAt }) =>
    lastUsedAt === undefined ? (
      'Never used'
    ) : (
      <>
        Used <Time at={lastUsedAt} />
      </>
    ),
} satisfies Column<ApiKey>;

/** A link to the page of a key, with its state and whether removed members know it. */
export function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const prefetch = () => void queryClient.prefetchQuery(apiKeyQuery(id));
  return (
    <div className={classes.cell}>
      <RowLink
        href={`/dashboard/keys/${id}`}
        className={classes.clamped}
        title={name}
        onMouseEnter={prefetch}
        onFocus={prefetch}
      >
        {name}
      </RowLink>
      <StateBadge apiKey={apiKey} size="sm" />
      <KnownBadge apiKey={apiKey} size="sm" />
    </div>
  );
}
