import { Button, Group, Stack, Text } from '@mantine/core';
import type { Permission, Role } from '../../../api/schema.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { NameInput } from '../../../ui/NameInput.js';
import { ReadOnlyAlert } from '../../../ui/ReadOnlyAlert.js';
import { useMe, usePermission } from '../../../session/me.js';
import { lackingPermissions } from '../grants.js';
import { PermissionPicker } from './PermissionPicker.js';
import { RoleLossAlert } from './RoleLossAlert.js';
import classes from './RoleForm.module.css';
import { useRoleForm } from './use-role-form.js';

interface RoleFormProps {
  /** The role to change; without it, a new one. */
  role?: Role;
  permissions: readonly Permission[];
  onDirtyChange: (isDirty: boolean) => void;
  onCancel: () => void;
  onDone: (role: Role) => void;
}

/** Name and permissions of a role; only to be read by those who may not change it. */
export function RoleForm({ role, permissions, onDirtyChange, onCancel, onDone }: RoleFormProps) {
  const mayChange = usePermission(role === undefined ? 'create-roles' : 'update-roles');
  const { permissions: held } = useMe();
  const isNameLocked = role !== undefined && lackingPermissions(role, held).length > 0;
  const { form, isChanged, isPending, formError, submit } = useRoleForm({ role, onDirtyChange, onDone });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        {!mayChange && <ReadOnlyAlert permission="update-roles" />}
        <NameInput
          readOnly={!mayChange || isNameLocked}
          description={mayChange && isNameLocked && "You can't rename a role that holds permissions you don't have."}
          {...form.getInputProps('name')}
        />
        <PermissionPicker
          all={permissions}
          granted={role?.permissions ?? []}
          selected={form.values.permissions}
          isReadOnly={!mayChange}
          onChange={(selected) => form.setFieldValue('permissions', selected)}
        />
      </Stack>
      <Stack className={classes.footer} gap="sm">
        {role !== undefined && <RoleLossAlert role={role} permissions={permissions} after={form.values.permissions} />}
        {form.errors['permissions'] !== undefined && (
          <Text size="sm" c="var(--mantine-color-error)" role="alert">
            {form.errors['permissions']}
          </Text>
        )}
        {formError !== null && <ErrorAlert error={formError} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {mayChange ? 'Cancel' : 'Close'}
          </Button>
          {mayChange && (
            <Button type="submit" loading={isPending} disabled={!isChanged}>
              {role === undefined ? 'Create role' : 'Save changes'}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
