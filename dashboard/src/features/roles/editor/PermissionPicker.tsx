import { Checkbox, Code, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { Permission } from '../../../api/schema.js';
import { type PermissionName, useMe } from '../../../session/me.js';
import classes from './PermissionPicker.module.css';
import { explainLock, groupPermissions, type PermissionGroup, select } from '../role-permissions.js';

interface PermissionPickerProps {
  /** Everything that there is. */
  all: readonly Permission[];
  /** What the role holds on the service. */
  granted: readonly PermissionName[];
  selected: readonly PermissionName[];
  isReadOnly: boolean;
  onChange: (selected: PermissionName[]) => void;
}

/** What a role allows, to be ticked. What the user does not hold themselves is locked and says why. */
export function PermissionPicker({ all, granted, selected, isReadOnly, onChange }: PermissionPickerProps) {
  const { permissions: held } = useMe();
  const set = (names: PermissionName[], isSelected: boolean) => onChange(select(all, selected, { names, isSelected }));
  return (
    <Stack gap="lg">
      {groupPermissions(all).map((group) => {
        const isOpen = ({ name }: Permission) => !isReadOnly && held.includes(name);
        return (
          <Stack key={group.name} gap="sm" role="group" aria-label={group.name}>
            <GroupHeading group={group} open={group.permissions.filter(isOpen)} selected={selected} onSet={set} />
            {group.permissions.map((permission) => (
              <PermissionCheckbox
                key={permission.name}
                permission={permission}
                isSelected={selected.includes(permission.name)}
                isDisabled={!isOpen(permission)}
                lock={isReadOnly ? undefined : explainLock(permission.name, { held, granted })}
                onChange={(isSelected) => set([permission.name], isSelected)}
              />
            ))}
          </Stack>
        );
      })}
    </Stack>
  );
}

interface GroupHeadingProps {
  group: PermissionGroup;
  /** What can be changed of it. */
  open: Permission[];
  selected: readonly PermissionName[];
  onSet: (names: PermissionName[], isSelected: boolean) => void;
}

function GroupHeading({ group, open, selected, onSet }: GroupHeadingProps) {
  const names = open.map(({ name }) => name);
  const areAllSelected = names.every((name) => selected.includes(name));
  const action = areAllSelected ? 'Clear' : 'Select all';
  return (
    <Group justify="space-between" className={classes.heading}>
      <Text size="sm" fw={600}>
        {group.name}
      </Text>
      {names.length > 1 && (
        <UnstyledButton
          fz="xs"
          c="var(--mantine-primary-color-light-color)"
          aria-label={`${action}: ${group.name}`}
          onClick={() => onSet(names, !areAllSelected)}
        >
          {action}
        </UnstyledButton>
      )}
    </Group>
  );
}

interface PermissionCheckboxProps {
  permission: Permission;
  isSelected: boolean;
  isDisabled: boolean;
  /** Why it cannot be changed. */
  lock: string | undefined;
  onChange: (isSelected: boolean) => void;
}

function PermissionCheckbox({ permission, isSelected, isDisabled, lock, onChange }: PermissionCheckboxProps) {
  return (
    <Checkbox
      label={permission.description}
      description={lock ?? <Code fz="xs">{permission.name}</Code>}
      checked={isSelected}
      disabled={isDisabled}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  );
}
