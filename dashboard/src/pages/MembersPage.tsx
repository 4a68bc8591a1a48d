import { Badge, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../ui/PageHeader.js';
import { RequirePermission } from '../ui/RequirePermission.js';
import { useDialog } from '../hooks/use-dialog.js';
import { usePermission } from '../session/me.js';
import { InvitationsTable } from '../features/invitations/InvitationsTable.js';
import { invitationsQuery } from '../features/invitations/invitations.js';
import { InviteButton } from '../features/invitations/InviteButton.js';
import { type Invitee, InviteModal } from '../features/invitations/InviteModal.js';
import { CreateServiceAccountButton } from '../features/service-accounts/CreateServiceAccountButton.js';
import { CreateServiceAccountModal } from '../features/service-accounts/CreateServiceAccountModal.js';
import { ServiceAccountsTable } from '../features/service-accounts/ServiceAccountsTable.js';
import { FormerMembersTable } from '../features/members/FormerMembersTable.js';
import { MembersTable } from '../features/members/MembersTable.js';
import { membersSearchDefaults, readMembersView } from '../features/members/search.js';

const route = getRouteApi('/dashboard/members');
const emptyInvitee: Invitee = { email: '', roleId: null };

/** Lists members, pending invitations, service accounts and removed members. */
export function MembersPage() {
  return (
    <RequirePermission permission="get-members">
      <Members />
    </RequirePermission>
  );
}

function Members() {
  const { view: wantedView } = route.useSearch();
  const maySeeServiceAccounts = usePermission('get-service-accounts');
  const view = wantedView === 'service-accounts' && !maySeeServiceAccounts ? 'members' : wantedView;
  const navigate = route.useNavigate();
  const invitation = useDialog<Invitee>();
  const invite = (invitee: Invitee = emptyInvitee) => invitation.open(invitee);
  const creation = useDialog();
  const { page, perPage } = membersSearchDefaults;
  const invitationCount = useQuery(invitationsQuery({ page, perPage })).data?.total ?? 0;
  const showTab = (next: string | null) =>
    void navigate({ search: ({ perPage }) => ({ view: readMembersView(next), page: 1, perPage }) });
  return (
    <>
      <PageHeader
        title="Members"
        description="People and programs with access to this organization."
        actions={
          view === 'service-accounts' ? (
            <CreateServiceAccountButton onClick={() => creation.open()} />
          ) : (
            <InviteButton onClick={() => invite()} />
          )
        }
      />
      <Tabs value={view === 'removed' ? 'members' : view} onChange={showTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="invitations" rightSection={invitationCount > 0 && <CountBadge count={invitationCount} />}>
            Invitations
          </Tabs.Tab>
          {maySeeServiceAccounts && <Tabs.Tab value="service-accounts">Service accounts</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="members">{view === 'removed' ? <FormerMembersTable /> : <MembersTable />}</Tabs.Panel>
        <Tabs.Panel value="invitations">
          <InvitationsTable onInvite={invite} />
        </Tabs.Panel>
        {maySeeServiceAccounts && (
          <Tabs.Panel value="service-accounts">
            <ServiceAccountsTable />
          </Tabs.Panel>
        )}
      </Tabs>
      <InviteModal invitee={invitation.subject ?? emptyInvitee} isOpen={invitation.isOpen} onClose={invitation.close} />
      <CreateServiceAccountModal isOpen={creation.isOpen} onClose={creation.close} />
    </>
  );
}

function CountBadge({ count }: { count: number }) {
  return (
    // The margin keeps the tabs as high as without the badge.
    <Badge size="sm" variant="light" circle={count < 10} my={-2}>
      {count}
    </Badge>
  );
}
