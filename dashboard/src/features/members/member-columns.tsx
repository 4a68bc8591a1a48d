import { Badge } from '@mantine/core';
import { administratorPermissions } from '@rules/administrator-permissions.js';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { PersonNameLink } from '../../common/people/PersonLink.js';
import { AssignedRole } from '../../common/roles/assign/AssignedRole.js';
import type { RoleAssignment } from '../../common/roles/assign/assign-role.js';
import { queryClient } from '../../query-client.js';
import { useMe } from '../../session/me.js';
import type { Column } from '../../ui/DataTable.js';
import { PersonAvatar } from '../../ui/PersonAvatar.js';
import { Time } from '../../ui/Time.js';
import classes from './MembersTable.module.css';
import { RemoveMemberButton } from './RemoveMemberButton.js';

/** What a row needs of the page. */
export interface MemberActions {
  /** The role of the last administrator; undefined if there are several. */
  lastAdministratorRoleId: string | undefined;
  /** Asks before the member is removed, or the user leaves. */
  onRemove: (member: Member) => void;
  onConfirmRole: (assignment: RoleAssignment) => void;
}

/** Columns of the members table. */
export const memberColumns = (actions: MemberActions): Column<Member>[] => [
  {
    key: 'member',
    header: 'Member',
    render: (member) => <MemberName member={member} />,
    breaksWords: true,
    isName: true,
  },
  { key: 'role', header: 'Role', render: (member) => <MemberRole member={member} {...actions} /> },
  {
    key: 'joinedAt',
    header: 'Joined',
    render: ({ joinedAt }) => <Time at={joinedAt} />,
    visibleFrom: 'md',
    whenHidden: ({ joinedAt }) => (
      <>
        Joined <Time at={joinedAt} />
      </>
    ),
  },
  {
    key: 'remove',
    header: 'Actions',
    hidesHeader: true,
    render: (member) => <RemoveMemberButton member={member} {...actions} />,
    align: 'right',
  },
];

/** The name and email of a member. */
export function MemberName({ member: { userId, name, email } }: { member: Member }) {
  const { user } = useMe();
  return (
    <div className={classes.member}>
      <PersonAvatar id={userId} name={name} size="md" />
      <div className={classes.names}>
        <span className={classes.name}>
          <PersonNameLink person={{ id: userId, name }} />
        </span>
        {userId === user.id && (
          <Badge size="sm" variant="light" className={classes.you}>
            You
          </Badge>
        )}
        <div className={classes.email}>{email}</div>
      </div>
    </div>
  );
}

interface MemberRoleProps extends Omit<MemberActions, 'onRemove'> {
  member: Member;
}

/** The member's role, which some users can change. */
export function MemberRole({ member, lastAdministratorRoleId, onConfirmRole }: MemberRoleProps) {
  const { id, userId, name, email, role } = member;
  const isOwn = userId === useMe().user.id;
  const assign = async (roleId: string) => {
    await unwrap(api.PATCH('/members/{id}', { params: { path: { id } }, body: { roleId } }));
    // The user's own permissions affect every page.
    await (isOwn ? queryClient.invalidateQueries() : refresh('members', 'roles'));
  };
  const needed = role.id === lastAdministratorRoleId ? administratorPermissions : undefined;
  const holder = { id, name, identity: email, role, isOwn, permission: 'update-members', needed, assign } as const;
  return <AssignedRole holder={holder} onConfirm={onConfirmRole} />;
}
