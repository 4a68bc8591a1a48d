import { Group, type SelectProps, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../api/schema.js';
import { type PermissionName, useMe, usePermission } from '../../session/me.js';
import { SearchableSelect } from '../../ui/SearchableSelect.js';
import classes from './RoleField.module.css';
import { explainMissing, explainNeeded, listGranted, missingPermissions } from './role-permissions.js';
import { permissionsQuery, usePermissionLabels } from '../../session/permissions.js';
import { rolesQuery } from './roles.js';

interface RoleFieldProps extends Pick<SelectProps, 'label' | 'aria-label' | 'placeholder' | 'error' | 'size'> {
  /** Role id. */
  value: string | null;
  onChange: (role: Role) => void;
  /** Permissions of an administrator, if no other member has them. The role must have them. */
  needed?: readonly PermissionName[] | undefined;
  /** Rejects input without losing the focus. */
  isPending?: boolean;
  /** Name to show until the roles are loaded. */
  fallbackName?: string;
}

/**
 * Selects a role, and lists the permissions of each. Roles with permissions that the user lacks, or without needed ones,
 * are disabled, with an explanation.
 */
export function RoleField(props: RoleFieldProps) {
  const { value, onChange, needed = [], isPending, fallbackName, ...selectProps } = props;
  const { permissions } = useMe();
  const labelOf = usePermissionLabels();
  const { data } = useQuery({ ...rolesQuery, enabled: usePermission('get-roles') });
  const all = useQuery(permissionsQuery).data?.permissions ?? [];
  const roles = data?.roles ?? [];
  const fallback = value !== null && fallbackName !== undefined ? [{ value, label: fallbackName }] : [];
  const options = roles.map((role) => {
    const missing = missingPermissions(role, permissions).map(labelOf);
    const reason = missing.length > 0 ? explainMissing(missing) : explainNeeded(role, needed);
    const description = reason ?? listGranted(all, role.permissions);
    return { value: role.id, label: role.name, disabled: reason !== undefined, description };
  });
  return (
    <SearchableSelect
      data={options.some((option) => option.value === value) || value === null ? options : fallback}
      value={value}
      onChange={(id) => {
        const role = roles.find((candidate) => candidate.id === id);
        if (role !== undefined && id !== value) onChange(role);
      }}
      readOnly={isPending}
      styles={{ options: { maxHeight: 320 } }}
      classNames={{ option: classes.option, dropdown: classes.dropdown }}
      renderOption={({ option, checked = false }) => (
        <RoleOption
          name={option.label}
          isSelected={checked}
          description={options.find((other) => other.value === option.value)?.description}
        />
      )}
      {...selectProps}
    />
  );
}

interface RoleOptionProps {
  name: string;
  isSelected: boolean;
  /** The permissions of the role, or why the user can't assign it. */
  description: string | undefined;
}

function RoleOption({ name, isSelected, description }: RoleOptionProps) {
  return (
    <Group justify="space-between" wrap="nowrap" flex={1}>
      <div>
        <Text size="sm" className={classes.name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" lineClamp={4}>
          {description}
        </Text>
      </div>
      {isSelected && <IconCheck size={16} aria-hidden />}
    </Group>
  );
}
