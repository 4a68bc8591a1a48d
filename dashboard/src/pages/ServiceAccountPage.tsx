import { Code, Group, SimpleGrid, Stack } from '@mantine/core';
import { IconRobotOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ServiceAccount } from '../api/schema.js';
import { ServiceError } from '../api/service-error.js';
import { serviceAccountQuery } from '../common/people/people.js';
import type { RoleAssignment } from '../common/roles/assign/assign-role.js';
import { ConfirmRoleModal } from '../common/roles/assign/ConfirmRoleModal.js';
import { CreatedKeys } from '../features/api-keys/created/CreatedKeys.js';
import { ActorHistory } from '../features/audit-log/TargetHistory.js';
import {
  type ServiceAccountAction,
  ServiceAccountDialogs,
} from '../features/service-accounts/ServiceAccountDialogs.js';
import { ServiceAccountMenu } from '../features/service-accounts/ServiceAccountMenu.js';
import { ServiceAccountRole } from '../features/service-accounts/ServiceAccountsTable.js';
import { PageUsage } from '../features/usage/PageUsage.js';
import { useDialog } from '../hooks/use-dialog.js';
import { usePermission } from '../session/me.js';
import { CopyIconButton } from '../ui/CopyButton.js';
import { NoValue } from '../ui/DataTable.js';
import { EmptyPage } from '../ui/EmptyState.js';
import { ErrorAlert } from '../ui/ErrorAlert.js';
import { Property } from '../ui/Property.js';
import { RequirePermission } from '../ui/RequirePermission.js';
import { Time } from '../ui/Time.js';
import { AccountLoading, AccountSection, AccountTitle, BackToMembers } from './AccountPageParts.js';

const route = getRouteApi('/dashboard/members/service-accounts/$id');

/** A service account: its keys, the usage of these, and its events. */
export function ServiceAccountPage() {
  return (
    <RequirePermission permission="get-service-accounts">
      <ServiceAccountById />
    </RequirePermission>
  );
}

function ServiceAccountById() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(serviceAccountQuery(id));
  const isNotFound = error instanceof ServiceError && error.status === 404;
  return (
    <>
      <BackToMembers view="service-accounts" />
      {isNotFound && <Deleted id={id} />}
      {error !== null && !isNotFound && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <AccountLoading /> : !isNotFound && <Details key={id} account={data} />}
    </>
  );
}

function Details({ account }: { account: ServiceAccount }) {
  const { id, name, hint, clientId, createdAt, lastUsedAt } = account;
  const dialog = useDialog<ServiceAccountAction>();
  const confirmation = useDialog<RoleAssignment>();
  const mayReadEvents = usePermission('get-audit-events');
  return (
    <>
      <AccountTitle
        id={id}
        name={name}
        isProgram
        subtitle="Service account"
        actions={<ServiceAccountMenu account={account} onAction={dialog.open} />}
      />
      <Stack gap="lg">
        <AccountSection>
          <SimpleGrid component="dl" cols={{ base: 1, xs: 2, md: 4 }} m={0}>
            <Property name="Role">
              <ServiceAccountRole account={account} onConfirm={confirmation.open} />
            </Property>
            <Property name="Client ID">
              <Group gap={4} wrap="nowrap" component="span">
                {clientId}
                <CopyIconButton value={clientId} label="Copy client ID" />
              </Group>
            </Property>
            <Property name="Client secret">
              <Code>{hint}…</Code>
            </Property>
            <Property name="Last sign-in">
              {lastUsedAt === undefined ? <NoValue>Never</NoValue> : <Time at={lastUsedAt} />}
            </Property>
            <Property name="Created">
              <Time at={createdAt} />
            </Property>
          </SimpleGrid>
        </AccountSection>
        <CreatedKeys creatorId={id} name={name} />
        <PageUsage page="/dashboard/members/service-accounts/$id" filter={{ creatorId: [id] }} />
        {mayReadEvents && (
          <AccountSection title="Events">
            <ActorHistory id={id} />
          </AccountSection>
        )}
      </Stack>
      <ServiceAccountDialogs dialog={dialog} />
      <ConfirmRoleModal dialog={confirmation} />
    </>
  );
}

/** What is left of a service account that doesn't exist: its events. */
function Deleted({ id }: { id: string }) {
  const mayReadEvents = usePermission('get-audit-events');
  return (
    <>
      <EmptyPage icon={<IconRobotOff size={28} />} title="Service account not found">
        It may have been deleted. Any keys it created that still exist belong to the organization.
      </EmptyPage>
      {mayReadEvents && (
        <AccountSection title="Events">
          <ActorHistory id={id} />
        </AccountSection>
      )}
    </>
  );
}
