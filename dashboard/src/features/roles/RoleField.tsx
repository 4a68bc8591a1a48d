import { Group, Select, type SelectProps, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Role } from '../../api/schema.js';
import { useMe, usePermission } from '../../session/me.js';
import { explainLack, lackingPermissions } from './grants.js';
import classes from './RoleField.module.css';
import { rolesQuery } from './roles.js';

interface RoleFieldProps extends Pick<SelectProps, 'label' | 'aria-label' | 'placeholder' | 'error' | 'w' | 'size'> {
  /** Id of the role. */
  value: string | null;
  onChange: (role: Role) => void;
  isDisabled?: boolean;
  /** Stands for the value while the roles load. */
  fallbackName?: string;
}

/** Chooses a role. Those that hold more than the person are shown, with what is missing, and cannot be chosen. */
export function RoleField({ value, onChange, isDisabled = false, fallbackName, ...props }: RoleFieldProps) {
  const { permissions } = useMe();
  const { data } = useQuery({ ...rolesQuery, enabled: usePermission('get-roles') });
  const roles = data?.roles ?? [];
  const fallback = value !== null && fallbackName !== undefined ? [{ value, label: fallbackName }] : [];
  const options = roles.map((role) => {
    const lacking = lackingPermissions(role, permissions);
    return { value: role.id, label: role.name, disabled: lacking.length > 0, lacking };
  });
  return (
    <Select
      data={options.some((option) => option.value === value) || value === null ? options : fallback}
      value={value}
      onChange={(id) => {
        const role = roles.find((candidate) => candidate.id === id);
        if (role !== undefined && id !== value) onChange(role);
      }}
      allowDeselect={false}
      disabled={isDisabled}
      maxDropdownHeight={320}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      classNames={{ option: classes.option }}
      renderOption={({ option, checked = false }) => (
        <RoleOption
          name={option.label}
          isChosen={checked}
          lacking={options.find((other) => other.value === option.value)?.lacking ?? []}
        />
      )}
      {...props}
    />
  );
}

interface RoleOptionProps {
  name: string;
  isChosen: boolean;
  lacking: Role['permissions'];
}

function RoleOption({ name, isChosen, lacking }: RoleOptionProps) {
  return (
    <Group justify="space-between" wrap="nowrap" flex={1}>
      <div>
        <Text size="sm" className={classes.name}>
          {name}
        </Text>
        {lacking.length > 0 && (
          <Text size="xs" c="dimmed">
            {explainLack(lacking)}
          </Text>
        )}
      </div>
      {isChosen && <IconCheck size={16} aria-hidden />}
    </Group>
  );
}
