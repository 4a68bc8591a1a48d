import { Badge, Button, SimpleGrid, Stack } from '@mantine/core';
import { IconUserMinus, IconUserQuestion } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ServiceError } from '../api/service-error.js';
import type { Member, Person } from '../api/schema.js';
import { explainLastAdministrator, useLastAdministratorRoleId } from '../common/organizations/last-administrator.js';
import { personQuery } from '../common/people/people.js';
import type { RoleAssignment } from '../common/roles/assign/assign-role.js';
import { ConfirmRoleModal } from '../common/roles/assign/ConfirmRoleModal.js';
import { CreatedKeys } from '../features/api-keys/created/CreatedKeys.js';
import { RotatedKeys } from '../features/api-keys/created/RotatedKeys.js';
import { PersonHistory } from '../features/audit-log/TargetHistory.js';
import { nameDeparture } from '../features/members/departure.js';
import { MemberRole } from '../features/members/member-columns.js';
import { PersonSessions } from '../features/members/PersonSessions.js';
import { RemovedBy } from '../features/members/RemovedBy.js';
import { RemoveMemberModal } from '../features/members/RemoveMemberModal.js';
import { PageUsage } from '../features/usage/PageUsage.js';
import { useDialog } from '../hooks/use-dialog.js';
import { useMe, usePermission } from '../session/me.js';
import { DisabledTooltip } from '../ui/DisabledTooltip.js';
import { EmptyPage } from '../ui/EmptyState.js';
import { ErrorAlert } from '../ui/ErrorAlert.js';
import { NoValue } from '../ui/DataTable.js';
import { Property } from '../ui/Property.js';
import { RequirePermission } from '../ui/RequirePermission.js';
import { Time } from '../ui/Time.js';
import { AccountLoading, AccountSection, AccountTitle, BackToMembers } from './AccountPageParts.js';

const route = getRouteApi('/dashboard/members/$id');

/** A current or former member: their keys, the usage of these, sessions and events. */
export function PersonPage() {
  return (
    <RequirePermission permission="get-members">
      <PersonById />
    </RequirePermission>
  );
}

function PersonById() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(personQuery(id));
  const isNotFound = error instanceof ServiceError && error.status === 404;
  return (
    <>
      <BackToMembers />
      {isNotFound && (
        <EmptyPage icon={<IconUserQuestion size={28} />} title="Person not found">
          No one with this link is or was a member of this organization.
        </EmptyPage>
      )}
      {error !== null && !isNotFound && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined ? error === null && <AccountLoading /> : !isNotFound && <Details key={id} person={data} />}
    </>
  );
}

function Details({ person }: { person: Person }) {
  const { id, name, email, member, formerMember } = person;
  const isYou = useMe().user.id === id;
  const mayReadEvents = usePermission('get-audit-events');
  const lastAdministratorRoleId = useLastAdministratorRoleId();
  const confirmation = useDialog<RoleAssignment>();
  return (
    <>
      <AccountTitle
        id={id}
        name={name}
        subtitle={email}
        badge={
          <>
            {isYou && <Badge variant="light">You</Badge>}
            {formerMember !== undefined && (
              <Badge color="gray" variant="default">
                {formerMember.departure === null ? 'Former member' : nameDeparture(formerMember.departure)}
              </Badge>
            )}
          </>
        }
        actions={member !== undefined && !isYou && <RemoveButton member={member} />}
      />
      <Stack gap="lg">
        <AccountSection>
          <SimpleGrid component="dl" cols={{ base: 1, xs: 3 }} m={0}>
            <Property name={member === undefined ? 'Last role' : 'Role'}>
              {member === undefined ? (
                (formerMember?.role ?? <NoValue>Unknown</NoValue>)
              ) : (
                <MemberRole
                  member={member}
                  lastAdministratorRoleId={lastAdministratorRoleId}
                  onConfirmRole={confirmation.open}
                />
              )}
            </Property>
            <Property name="Joined">
              <OptionalTime at={member?.joinedAt ?? formerMember?.joinedAt ?? null} />
            </Property>
            {formerMember !== undefined && (
              <Property
                name={formerMember.departure === null ? 'Membership ended' : nameDeparture(formerMember.departure)}
              >
                <Time at={formerMember.removedAt} />
                <RemovedBy remover={formerMember.removedBy} />
              </Property>
            )}
          </SimpleGrid>
        </AccountSection>
        <CreatedKeys creatorId={id} name={name} />
        {member === undefined && <RotatedKeys rotatedById={id} name={name} />}
        <PageUsage page="/dashboard/members/$id" filter={{ creatorId: [id] }} />
        {member !== undefined && mayReadEvents && <PersonSessions userId={id} name={name} />}
        {mayReadEvents && (
          <AccountSection title="Events">
            <PersonHistory id={id} name={name} email={email} />
          </AccountSection>
        )}
      </Stack>
      <ConfirmRoleModal dialog={confirmation} />
    </>
  );
}

function OptionalTime({ at }: { at: string | null }) {
  return at === null ? <NoValue>Unknown</NoValue> : <Time at={at} />;
}

/** Removes the member. Disabled for the last administrator. */
function RemoveButton({ member }: { member: Member }) {
  const dialog = useDialog();
  const isLastAdministrator = useLastAdministratorRoleId() === member.role.id;
  if (!usePermission('delete-members')) return null;
  const button = (
    <Button
      variant="default"
      leftSection={<IconUserMinus size={16} aria-hidden />}
      disabled={isLastAdministrator}
      onClick={() => dialog.open()}
    >
      Remove
    </Button>
  );
  return (
    <>
      {isLastAdministrator ? (
        <DisabledTooltip reason={explainLastAdministrator(member.name)}>{button}</DisabledTooltip>
      ) : (
        button
      )}
      {dialog.wasOpened && <RemoveMemberModal member={member} isOpen={dialog.isOpen} onClose={dialog.close} />}
    </>
  );
}
