import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { PermissionDetails, Role } from '../../../api/schema.js';
import { pluralize } from '../../../lib/format-numbers.js';
import { liftToasts } from '../../../lib/lift-toasts.js';
import { DialogFooter } from '../../../ui/DialogFooter.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { NameInput } from '../../../ui/NameInput.js';
import { ReadOnlyAlert } from '../../../ui/ReadOnlyAlert.js';
import { type PermissionName, useMe, usePermission } from '../../../session/me.js';
import { missingPermissions } from '../../../common/roles/role-permissions.js';
import { describeRemoved } from '../permission-groups.js';
import { PermissionPicker } from './PermissionPicker.js';
import { useRoleForm } from './use-role-form.js';

interface RoleFormProps {
  /** Omit to create a role. */
  role?: Role;
  /** Whose permissions a new role has at first. */
  copied?: Role;
  permissions: readonly PermissionDetails[];
  onCancel: () => void;
  onDone: (role: Role) => void;
}

/** Name and permissions of a role, read-only for users who can't change it. */
export function RoleForm({ role, copied, permissions, onCancel, onDone }: RoleFormProps) {
  const canChange = usePermission(role === undefined ? 'create-roles' : 'update-roles');
  const { permissions: held } = useMe();
  const isNameLocked = role !== undefined && missingPermissions(role, held).length > 0;
  const { form, isChanged, isPending, formError, submit } = useRoleForm({ role, copied, onDone });
  const leftOut = copied === undefined ? [] : missingPermissions(copied, held);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg" mb="lg">
        {!canChange && <ReadOnlyAlert permission="update-roles" />}
        <NameInput
          readOnly={!canChange || isNameLocked}
          description={canChange && isNameLocked && "You can't rename a role with permissions you don't have."}
          {...form.getInputProps('name')}
        />
        {leftOut.length > 0 && (
          <Text size="sm" c="dimmed">
            The copy leaves out {pluralize(leftOut.length, 'permission')} that you don&apos;t have.
          </Text>
        )}
        <PermissionPicker
          all={permissions}
          granted={role?.permissions ?? []}
          selected={form.values.permissions}
          isReadOnly={!canChange}
          onChange={(selected) => form.setFieldValue('permissions', selected)}
        />
      </Stack>
      <DialogFooter ref={liftToasts}>
        {role !== undefined && <OwnRoleWarning role={role} permissions={permissions} after={form.values.permissions} />}
        {form.errors['permissions'] !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors['permissions']}
          </Text>
        )}
        {formError !== null && <ErrorAlert error={formError} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {canChange ? 'Cancel' : 'Close'}
          </Button>
          {canChange && (
            <Button type="submit" loading={isPending} disabled={role !== undefined && !isChanged}>
              {role === undefined ? 'Create role' : 'Save changes'}
            </Button>
          )}
        </Group>
      </DialogFooter>
    </form>
  );
}

interface OwnRoleWarningProps {
  role: Role;
  permissions: readonly PermissionDetails[];
  /** Permissions of the role after saving. */
  after: readonly PermissionName[];
}

/** Warns users who are about to remove permissions from their own role. */
function OwnRoleWarning({ role, permissions, after }: OwnRoleWarningProps) {
  const removed = describeRemoved(permissions, { before: role.permissions, after });
  if (useMe().role.id !== role.id || removed === undefined) return null;
  return (
    <Alert variant="light" color="orange" icon={<IconAlertTriangle />} role="status">
      Saving removes “{removed}” from your own role. You can't undo this yourself.
    </Alert>
  );
}
