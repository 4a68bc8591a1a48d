import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Member, Role } from '../../api/schema.js';
import { PermissionTooltip } from '../../ui/PermissionTooltip.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { useMe, usePermission } from '../../session/me.js';
import { RoleField } from '../roles/RoleField.js';
import { rolesQuery } from '../roles/roles.js';
import { changeRole } from './change-role.js';
import { ConfirmRoleModal } from './ConfirmRoleModal.js';
import { describeRoleChange, needsConfirmation, type RoleChange } from './role-change.js';

/** The member's role: a select for users who can change it, otherwise text. */
export function MemberRole({ member }: { member: Member }) {
  if (!usePermission('update-members')) return <Text size="sm">{member.role.name}</Text>;
  return (
    <PermissionTooltip permission="get-roles">
      {(isDisabled) => <MemberRoleField member={member} isDisabled={isDisabled} />}
    </PermissionTooltip>
  );
}

function MemberRoleField({ member, isDisabled }: { member: Member; isDisabled: boolean }) {
  const { user, permissions } = useMe();
  const { data } = useQuery({ ...rolesQuery, enabled: !isDisabled });
  const confirmation = useDialog<RoleChange>();
  const { mutateAsync, mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: (change: RoleChange) => changeRole(member, change),
  });
  const select = (role: Role) => {
    const previous = data?.roles.find(({ id }) => id === member.role.id);
    const change = describeRoleChange(role, { previous, isOwn: member.userId === user.id, held: permissions });
    if (needsConfirmation(change)) confirmation.open(change);
    else mutate(change);
  };
  const cancel = () => {
    confirmation.close();
    reset();
  };
  return (
    <>
      <RoleField
        aria-label={`Role of ${member.name}`}
        w={{ base: '100%', sm: 180 }}
        value={isPending ? variables.role.id : member.role.id}
        fallbackName={member.role.name}
        onChange={select}
        isDisabled={isDisabled || isPending}
        error={confirmation.isOpen ? undefined : error?.message}
      />
      {confirmation.subject !== undefined && (
        <ConfirmRoleModal
          member={member}
          change={confirmation.subject}
          isOpen={confirmation.isOpen}
          onClose={cancel}
          action={mutateAsync}
        />
      )}
    </>
  );
}
