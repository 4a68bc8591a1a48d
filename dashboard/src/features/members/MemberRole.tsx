import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member, Role } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { notifyDone } from '../../lib/notify.js';
import { PermissionTooltip } from '../../ui/PermissionTooltip.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { queryClient } from '../../query-client.js';
import { useMe, usePermission } from '../../session/me.js';
import { lostPermissions } from '../roles/role-permissions.js';
import { RoleField } from '../roles/RoleField.js';
import { ConfirmOwnRoleModal } from './ConfirmOwnRoleModal.js';

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
  const { mutateAsync, mutate, isPending, variables, error, reset } = useRoleChange(member);
  const confirmation = useDialog<Role>();
  const isYou = member.userId === user.id;
  const change = (role: Role) => {
    if (isYou && lostPermissions(role, permissions).length > 0) confirmation.open(role);
    else mutate(role);
  };
  const cancel = () => {
    confirmation.close();
    reset();
  };
  return (
    <>
      <RoleField
        aria-label={`Role of ${member.name}`}
        w={{ base: 120, xs: 180 }}
        value={isPending ? variables.id : member.role.id}
        fallbackName={member.role.name}
        onChange={change}
        isDisabled={isDisabled || isPending}
        error={confirmation.isOpen ? undefined : error?.message}
      />
      {confirmation.subject !== undefined && (
        <ConfirmOwnRoleModal
          role={confirmation.subject}
          isOpen={confirmation.isOpen}
          onClose={cancel}
          action={mutateAsync}
        />
      )}
    </>
  );
}

function useRoleChange({ id, name, userId }: Member) {
  const { user } = useMe();
  return useMutation({
    mutationFn: (role: Role) =>
      unwrap(api.PATCH('/members/{id}', { params: { path: { id } }, body: { roleId: role.id } })),
    onSuccess: ({ role }) => {
      const isYou = userId === user.id;
      notifyDone(`${isYou ? 'Your' : `${name}'s`} role is now ${role.name}.`);
      // The user's own permissions affect every page.
      return isYou ? queryClient.invalidateQueries() : refresh('members', 'roles');
    },
  });
}
