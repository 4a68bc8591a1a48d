import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Role } from '../../../api/schema.js';
import { useDialog } from '../../../hooks/use-dialog.js';
import { notifyDone, notifyFailed, notifyUndoable } from '../../../lib/notify.js';
import { type FocusOrigin, getFocusOrigin } from '../../../lib/restore-focus.js';
import { useMe, usePermission } from '../../../session/me.js';
import { PermissionTooltip } from '../../../ui/PermissionTooltip.js';
import { RoleField } from '../RoleField.js';
import { rolesQuery } from '../roles.js';
import { ConfirmRoleModal } from './ConfirmRoleModal.js';
import { describeRoleChange, needsConfirmation, type RoleChange, type RoleHolder, roleSubject } from './role-change.js';

interface AssignedRoleProps {
  holder: RoleHolder;
}

/** The role of a member or service account: a select for users who can change it, otherwise text. */
export function AssignedRole({ holder }: AssignedRoleProps) {
  if (!usePermission(holder.permission)) return <Text size="sm">{holder.role.name}</Text>;
  return (
    <PermissionTooltip permission="get-roles">
      {(isDisabled) => <AssignedRoleField holder={holder} isDisabled={isDisabled} />}
    </PermissionTooltip>
  );
}

function AssignedRoleField({ holder, isDisabled }: AssignedRoleProps & { isDisabled: boolean }) {
  const { name, role: currentRole, needed } = holder;
  const { permissions } = useMe();
  const { data } = useQuery({ ...rolesQuery, enabled: !isDisabled });
  const confirmation = useDialog<RoleChange>();
  const origin = useRef<FocusOrigin>(undefined);
  const { mutateAsync, mutate, isPending, variables, error, reset } = useMutation({
    mutationFn: (change: RoleChange) => changeRole(holder, change, origin.current),
  });
  const select = (role: Role) => {
    origin.current = getFocusOrigin();
    const previous = data?.roles.find(({ id }) => id === currentRole.id);
    const change = describeRoleChange(role, { ...holder, previous, held: permissions });
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
        aria-label={`Role of ${name}`}
        w={{ base: '100%', sm: 180 }}
        value={isPending ? variables.role.id : currentRole.id}
        fallbackName={currentRole.name}
        onChange={select}
        needed={needed}
        isDisabled={isDisabled}
        isPending={isPending}
        error={confirmation.isOpen ? undefined : error?.message}
      />
      {confirmation.subject !== undefined && (
        <ConfirmRoleModal
          holder={holder}
          change={confirmation.subject}
          isOpen={confirmation.isOpen}
          onClose={cancel}
          action={mutateAsync}
        />
      )}
    </>
  );
}

/** Changes a role, and offers to undo it. Undoing moves the focus to `origin`. */
async function changeRole(
  holder: RoleHolder,
  { role, previous, canUndo }: RoleChange,
  origin: FocusOrigin | undefined,
): Promise<void> {
  await holder.assign(role.id);
  const message = `${possessive(holder)} role is now ${role.name}.`;
  if (previous === undefined || !canUndo) notifyDone(message, roleSubject(holder));
  else notifyUndoable(message, { undo: () => void restore(holder, previous), origin, subject: roleSubject(holder) });
}

async function restore(holder: RoleHolder, { id, name }: RoleHolder['role']): Promise<void> {
  try {
    await holder.assign(id);
    notifyDone(`${possessive(holder)} role is ${name} again.`, roleSubject(holder));
  } catch (error) {
    notifyFailed(`The role is unchanged. ${error instanceof Error ? error.message : ''}`);
  }
}

const possessive = ({ isOwn, name }: RoleHolder) => (isOwn ? 'Your' : `${name}'s`);
