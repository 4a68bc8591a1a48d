import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Member, Role } from '../../api/schema.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import type { RoleChange } from './role-change.js';

interface ConfirmRoleModalProps {
  member: Member;
  change: RoleChange;
  isOpen: boolean;
  onClose: () => void;
  action: (change: RoleChange) => Promise<unknown>;
}

/** Asks for confirmation before a member gains permissions, or before a role change that the user can't undo. */
export function ConfirmRoleModal({ member, change, isOpen, onClose, action }: ConfirmRoleModalProps) {
  const { role, isOwn, gained, lost, canUndo } = change;
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Change ${isOwn ? 'your' : `${member.name}'s`} role to ${role.name}?`}
      actionLabel={isOwn ? 'Change my role' : 'Change role'}
      isDestructive={gained.length === 0}
      action={() => action(change)}
      onDone={onClose}
    >
      {gained.length > 0 && (
        <Permissions
          text={<>{isOwn ? 'You' : <b>{member.email}</b>} will gain these permissions immediately:</>}
          names={gained}
        />
      )}
      {(isOwn || gained.length === 0) && lost.length > 0 && (
        <Permissions
          text={<>{isOwn ? 'You' : <b>{member.email}</b>} will lose these permissions immediately:</>}
          names={lost}
        />
      )}
      {!canUndo && <Text size="sm">You can&apos;t undo this yourself.</Text>}
    </ConfirmModal>
  );
}

function Permissions({ text, names }: { text: ReactNode; names: Role['permissions'] }) {
  return (
    <>
      <Text size="sm">{text}</Text>
      <Group gap={6}>
        {names.map((permission) => (
          <Code key={permission}>{permission}</Code>
        ))}
      </Group>
    </>
  );
}
