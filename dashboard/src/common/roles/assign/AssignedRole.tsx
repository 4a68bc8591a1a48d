import { Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Role } from '../../../api/schema.js';
import { getFocusOrigin } from '../../../lib/restore-focus.js';
import { useMe, usePermission } from '../../../session/me.js';
import { IdleSelect } from '../../../ui/IdleSelect.js';
import { PermissionTooltip } from '../../../ui/PermissionTooltip.js';
import { RoleField } from '../RoleField.js';
import { rolesQuery } from '../roles.js';
import classes from './AssignedRole.module.css';
import { assignRole, type RoleAssignment } from './assign-role.js';
import { describeRoleChange, needsConfirmation, type RoleHolder } from './role-change.js';

interface AssignedRoleProps {
  holder: RoleHolder;
  /** Opens the `ConfirmRoleModal` of the page. */
  onConfirm: (assignment: RoleAssignment) => void;
}

/** The role of a member or service account: a select for users who can change it, otherwise text. */
export function AssignedRole(props: AssignedRoleProps) {
  const { name, permission, role } = props.holder;
  if (!usePermission(permission)) return <Text size="sm">{role.name}</Text>;
  return (
    <PermissionTooltip permission="get-roles">
      {(isDisabled) => (
        <IdleSelect label={labelOf(name)} value={role.name} className={classes.role} isDisabled={isDisabled}>
          <RoleSelect {...props} />
        </IdleSelect>
      )}
    </PermissionTooltip>
  );
}

const labelOf = (name: string) => `Role of ${name}`;

function RoleSelect({ holder, onConfirm }: AssignedRoleProps) {
  const { name, role: currentRole, needed } = holder;
  const { permissions } = useMe();
  const { data } = useQuery(rolesQuery);
  const { mutate, isPending, variables, error, reset } = useMutation({ mutationFn: assignRole });
  const select = (role: Role) => {
    const previous = data?.roles.find(({ id }) => id === currentRole.id);
    const change = describeRoleChange(role, { ...holder, previous, held: permissions });
    const assignment = { holder, change, origin: getFocusOrigin() };
    if (!needsConfirmation(change)) return mutate(assignment);
    // The error of an earlier change.
    reset();
    onConfirm(assignment);
  };
  return (
    <RoleField
      aria-label={labelOf(name)}
      value={isPending ? variables.change.role.id : currentRole.id}
      fallbackName={currentRole.name}
      onChange={select}
      needed={needed}
      isPending={isPending}
      error={error?.message}
    />
  );
}
