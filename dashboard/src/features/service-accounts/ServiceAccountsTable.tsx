import { Box, Code, Group, Text } from '@mantine/core';
import { IconRobot } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ServiceAccount } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { CopyIconButton } from '../../ui/CopyButton.js';
import { type Column, NoValue } from '../../ui/DataTable.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { PersonAvatar } from '../../ui/PersonAvatar.js';
import { Time } from '../../ui/Time.js';
import { refetchMilliseconds } from '../../api/refetch-interval.js';
import { PagedTable } from '../../ui/PagedTable.js';
import { PersonNameLink } from '../../common/people/PersonLink.js';
import { AssignedRole } from '../../common/roles/assign/AssignedRole.js';
import type { RoleAssignment } from '../../common/roles/assign/assign-role.js';
import { ConfirmRoleModal } from '../../common/roles/assign/ConfirmRoleModal.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { serviceAccountsQuery } from './service-accounts.js';
import { type ServiceAccountAction, ServiceAccountDialogs } from './ServiceAccountDialogs.js';
import { ServiceAccountMenu } from './ServiceAccountMenu.js';

const route = getRouteApi('/dashboard/members');

/** Service accounts, newest first. */
export function ServiceAccountsTable() {
  const { page, perPage } = route.useSearch();
  const navigate = route.useNavigate();
  // Refetched for the last sign-ins.
  const query = useQuery({ ...serviceAccountsQuery({ page, perPage }), refetchInterval: refetchMilliseconds });
  const dialog = useDialog<ServiceAccountAction>();
  const confirmation = useDialog<RoleAssignment>();
  return (
    <>
      <PagedTable
        label="Service accounts"
        columns={serviceAccountColumns({ onAction: dialog.open, onConfirmRole: confirmation.open })}
        page={{ page, perPage }}
        onPage={(change, options) => void navigate({ search: (current) => ({ ...current, ...change }), ...options })}
        query={query}
        rows={query.data?.serviceAccounts}
        empty={
          <EmptyState icon={<IconRobot size={28} />} title="No service accounts">
            Service accounts let scripts and pipelines manage keys without a person&apos;s password.
          </EmptyState>
        }
      />
      <ServiceAccountDialogs dialog={dialog} />
      <ConfirmRoleModal dialog={confirmation} />
    </>
  );
}

interface ServiceAccountColumns {
  onAction: (action: ServiceAccountAction) => void;
  onConfirmRole: (assignment: RoleAssignment) => void;
}

const serviceAccountColumns = ({ onAction, onConfirmRole }: ServiceAccountColumns): Column<ServiceAccount>[] => [
  {
    key: 'name',
    header: 'Name and client ID',
    render: ({ id, name, clientId }) => (
      <Group gap="sm" wrap="nowrap">
        <Box visibleFrom="xs" lh={0}>
          <PersonAvatar id={id} name={name} size="md" isProgram />
        </Box>
        <div>
          <Text size="sm" fw={500} component="span">
            <PersonNameLink person={{ id, name }} isServiceAccount />
          </Text>
          <Group gap={4} wrap="nowrap" my={-6}>
            <Text size="xs" c="dimmed">
              {clientId}
            </Text>
            <CopyIconButton value={clientId} label={`Copy client ID of ${name}`} />
          </Group>
        </div>
      </Group>
    ),
    breaksWords: true,
    isName: true,
  },
  {
    key: 'hint',
    header: 'Client secret',
    render: (account) => (
      <>
        <Code>{account.hint}…</Code>
        {account.previousSecretExpiresAt !== undefined && (
          <Text size="xs" c="dimmed" mt={4}>
            Previous one expires <Time at={account.previousSecretExpiresAt} />
          </Text>
        )}
      </>
    ),
    visibleFrom: 'md',
    whenHidden: ({ hint }) => `Secret ${hint}…`,
  },
  {
    key: 'role',
    header: 'Role',
    render: (account) => <ServiceAccountRole account={account} onConfirm={onConfirmRole} />,
    visibleFrom: 'md',
    whenHidden: (account) => (
      <Box py={4}>
        <ServiceAccountRole account={account} onConfirm={onConfirmRole} />
      </Box>
    ),
  },
  {
    key: 'lastUsedAt',
    header: 'Last sign-in',
    render: ({ lastUsedAt }) => (lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />),
    visibleFrom: 'md',
    whenHidden: ({ lastUsedAt }) =>
      lastUsedAt === undefined ? (
        'Never signed in'
      ) : (
        <>
          Signed in <Time at={lastUsedAt} />
        </>
      ),
  },
  {
    key: 'menu',
    header: 'Actions',
    hidesHeader: true,
    render: (account) => <ServiceAccountMenu account={account} onAction={onAction} />,
    align: 'right',
  },
];

interface ServiceAccountRoleProps {
  account: ServiceAccount;
  onConfirm: (assignment: RoleAssignment) => void;
}

/** The account's role, which some users can change. */
export function ServiceAccountRole({ account: { id, name, role }, onConfirm }: ServiceAccountRoleProps) {
  const assign = async (roleId: string) => {
    await unwrap(api.PATCH('/service-accounts/{id}', { params: { path: { id } }, body: { roleId } }));
    await refresh('service-accounts', 'roles');
  };
  const holder = { id, name, role, isOwn: false, permission: 'update-service-accounts', assign } as const;
  return <AssignedRole holder={holder} onConfirm={onConfirm} />;
}
