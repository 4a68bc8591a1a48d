import { Badge, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe } from '../../session/me.js';
import { InvitationsTable } from '../invitations/InvitationsTable.js';
import { invitationsQuery } from '../invitations/invitations.js';
import { InviteButton } from '../invitations/InviteButton.js';
import { type Invitee, InviteModal } from '../invitations/InviteModal.js';
import { MembersTable } from './MembersTable.js';
import { membersSearchDefaults } from './search.js';

const route = getRouteApi('/dashboard/members');
const emptyInvitee: Invitee = { email: '', roleId: null };

/** Lists members and pending invitations. */
export function MembersPage() {
  return (
    <RequirePermission permission="get-members">
      <Members />
    </RequirePermission>
  );
}

function Members() {
  const { organization } = useMe();
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const invitation = useDialog<Invitee>();
  const invite = (invitee: Invitee = emptyInvitee) => invitation.open(invitee);
  const showTab = (next: string | null) =>
    void navigate({
      search: ({ perPage }) => ({ view: next === 'invitations' ? next : 'members', page: 1, perPage }),
    });
  return (
    <>
      <PageHeader
        title="Members"
        description={`People with access to ${organization.name}.`}
        actions={<InviteButton onClick={() => invite()} />}
      />
      <Tabs value={view} onChange={showTab} keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="invitations" rightSection={<InvitationCount />}>
            Invitations
          </Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="members">
          <MembersTable />
        </Tabs.Panel>
        <Tabs.Panel value="invitations">
          <InvitationsTable onInvite={invite} />
        </Tabs.Panel>
      </Tabs>
      <InviteModal invitee={invitation.subject ?? emptyInvitee} isOpen={invitation.isOpen} onClose={invitation.close} />
    </>
  );
}

function InvitationCount() {
  const { page, perPage } = membersSearchDefaults;
  const { data } = useQuery(invitationsQuery({ page, perPage }));
  if (data === undefined || data.total === 0) return null;
  return (
    <Badge size="sm" variant="light" circle={data.total < 10}>
      {data.total}
    </Badge>
  );
}
