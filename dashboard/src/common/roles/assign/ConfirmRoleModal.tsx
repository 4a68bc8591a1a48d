import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from '../../../api/schema.js';
import type { Dialog } from '../../../hooks/use-dialog.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { usePermissionLabels } from '../../../session/permissions.js';
import { assignRole, type RoleAssignment } from './assign-role.js';

/** Asks for confirmation before someone gains permissions, or before a role change that the user can't undo. */
export function ConfirmRoleModal({ dialog }: { dialog: Dialog<RoleAssignment> }) {
  const { subject: assignment, isOpen, close } = dialog;
  if (assignment === undefined) return null;
  const { id, name, identity = name, isOwn } = assignment.holder;
  const { role, gained, lost, canUndo } = assignment.change;
  const subject = isOwn ? 'You' : <b>{identity}</b>;
  return (
    <ConfirmModal
      key={id}
      isOpen={isOpen}
      onClose={close}
      title={`Change ${isOwn ? 'your' : `${name}'s`} role to ${role.name}?`}
      actionLabel={isOwn ? 'Change my role' : 'Change role'}
      isDestructive={gained.length === 0}
      action={() => assignRole(assignment)}
      onDone={close}
    >
      {gained.length > 0 && (
        <Permissions text={<>{subject} will gain these permissions immediately:</>} names={gained} />
      )}
      {lost.length > 0 && <Permissions text={<>{subject} will lose these permissions immediately:</>} names={lost} />}
      {!canUndo && <Text size="sm">You can&apos;t undo this yourself.</Text>}
    </ConfirmModal>
  );
}

function Permissions({ text, names }: { text: ReactNode; names: Role['permissions'] }) {
  const labelOf = usePermissionLabels();
  return (
    <>
      <Text size="sm">{text}</Text>
      <Group gap={6}>
        {names.map((permission) => (
          <Badge key={permission} variant="default" radius="sm" fw={500}>
            {labelOf(permission)}
          </Badge>
        ))}
      </Group>
    </>
  );
}
