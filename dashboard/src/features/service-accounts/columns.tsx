import { Code, Group, Text } from '@mantine/core';
import type { ServiceAccount } from '../../api/schema.js';
import { CopyIconButton } from '../../ui/CopyButton.js';
import { type Column, NoValue } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { ServiceAccountMenu } from './ServiceAccountMenu.js';
import { ServiceAccountRole } from './ServiceAccountRole.js';

/** Columns of the service accounts table. */
export const serviceAccountColumns: Column<ServiceAccount>[] = [
  {
    key: 'name',
    header: 'Name and client ID',
    render: ({ name, clientId }) => (
      <>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Group gap={4} wrap="nowrap">
          <Text size="xs" c="dimmed" visibleFrom="sm">
            {clientId}
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            Client ID
          </Text>
          <CopyIconButton value={clientId} label={`Copy client ID of ${name}`} />
        </Group>
      </>
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
