import { Checkbox, Code, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import type { PermissionDetails } from '../../../api/schema.js';
import { type PermissionName, useMe } from '../../../session/me.js';
import classes from './PermissionPicker.module.css';
import {
  explainHiddenPage,
  explainLock,
  groupPermissions,
  type PermissionGroup,
  updateSelection,
} from '../permission-groups.js';

interface PermissionPickerProps {
  /** All permissions that exist. */
  all: readonly PermissionDetails[];
  /** Permissions of the saved role. */
  granted: readonly PermissionName[];
  selected: readonly PermissionName[];
  isReadOnly: boolean;
  onChange: (selected: PermissionName[]) => void;
}

/** Checkboxes for a role's permissions. Permissions that the user lacks are locked, with an explanation. */
export function PermissionPicker({ all, granted, selected, isReadOnly, onChange }: PermissionPickerProps) {
  const { permissions: held } = useMe();
  const set = (names: PermissionName[], isSelected: boolean) =>
    onChange(updateSelection(all, selected, { names, isSelected }));
  return (
    <Stack gap="lg">
      {groupPermissions(all).map((group) => {
        const hint = isReadOnly ? undefined : explainHiddenPage(group.name, { all, selected });
        const isEditable = ({ name }: PermissionDetails) => !isReadOnly && held.includes(name);
        return (
          <Stack key={group.name} gap="sm" role="group" aria-label={group.name}>
            <GroupHeading
              group={group}
              editable={group.permissions.filter(isEditable)}
              selected={selected}
              onSet={set}
            />
            {group.permissions.map((permission) => (
              <PermissionCheckbox
                key={permission.name}
                permission={permission}
                isSelected={selected.includes(permission.name)}
                isDisabled={!isEditable(permission)}
                lock={isReadOnly ? undefined : explainLock(permission.name, { held, granted })}
                onChange={(isSelected) => set([permission.name], isSelected)}
              />
            ))}
            {hint !== undefined && (
              <Text size="xs" c="dimmed" role="status">
                {hint}
              </Text>
            )}
          </Stack>
        );
      })}
    </Stack>
  );
}

interface GroupHeadingProps {
  group: PermissionGroup;
  /** Permissions of the group that the user can change. */
  editable: PermissionDetails[];
  selected: readonly PermissionName[];
  onSet: (names: PermissionName[], isSelected: boolean) => void;
}

function GroupHeading({ group, editable, selected, onSet }: GroupHeadingProps) {
  const names = editable.map(({ name }) => name);
  const allSelected = names.every((name) => selected.includes(name));
  const action = allSelected ? 'Clear all' : 'Select all';
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
          onClick={() => onSet(names, !allSelected)}
        >
          {action}
        </UnstyledButton>
      )}
    </Group>
  );
}

interface PermissionCheckboxProps {
  permission: PermissionDetails;
  isSelected: boolean;
  isDisabled: boolean;
  /** Why the permission can't be changed. */
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
