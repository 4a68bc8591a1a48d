import { Code, Text } from '@mantine/core';
import type { ServiceAccount } from '../../api/schema.js';
import { type Column, NoValue } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { ServiceAccountMenu } from './ServiceAccountMenu.js';
import { ServiceAccountRole } from './ServiceAccountRole.js';

/** Columns of the service accounts table. */
export const serviceAccountColumns: Column<ServiceAccount>[] = [
  {
    key: 'name',
    header: 'Name',
    render: ({ name }) => (
      <Text size="sm" fw={500}>
        {name}
      </Text>
    ),
    breaksWords: true,
  },
  { key: 'hint', header: 'Client secret', render: ({ hint }) => <Code>{hint}…</Code>, visibleFrom: 'md' },
  { key: 'role', header: 'Role', render: (account) => <ServiceAccountRole account={account} /> },
  {
    key: 'lastUsedAt',
    header: 'Last sign-in',
    render: ({ lastUsedAt }) => (lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />),
    visibleFrom: 'sm',
  },
  {
    key: 'menu',
    header: 'Actions',
    hidesHeader: true,
    render: (account) => <ServiceAccountMenu account={account} />,
    align: 'right',
  },
];
