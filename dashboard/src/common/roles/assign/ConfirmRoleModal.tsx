import { Badge, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Role } from '../../../api/schema.js';
import { ConfirmModal } from '../../../ui/ConfirmModal.js';
import { usePermissionLabels } from '../../../session/permissions.js';
import type { RoleChange, RoleHolder } from './role-change.js';

interface ConfirmRoleModalProps {
  holder: RoleHolder;
  change: RoleChange;
  isOpen: boolean;
  onClose: () => void;
  action: (change: RoleChange) => Promise<unknown>;
}

/** Asks for confirmation before someone gains permissions, or before a role change that the user can't undo. */
export function ConfirmRoleModal({ holder, change, isOpen, onClose, action }: ConfirmRoleModalProps) {
  const { name, identity = name, isOwn } = holder;
  const { role, gained, lost, canUndo } = change;
  const subject = isOwn ? 'You' : <b>{identity}</b>;
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Change ${isOwn ? 'your' : `${name}'s`} role to ${role.name}?`}
      actionLabel={isOwn ? 'Change my role' : 'Change role'}
      isDestructive={gained.length === 0}
      action={() => action(change)}
      onDone={onClose}
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
