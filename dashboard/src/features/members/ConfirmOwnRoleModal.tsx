import { Code, Group, Text } from '@mantine/core';
import type { Role } from '../../api/schema.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { useMe } from '../../session/me.js';
import { lostPermissions } from '../roles/grants.js';

interface ConfirmOwnRoleModalProps {
  /** What was chosen. */
  role: Role;
  isOpen: boolean;
  onClose: () => void;
  action: (role: Role) => Promise<unknown>;
}

/** Asks before people take permissions from themselves. */
export function ConfirmOwnRoleModal({ role, isOpen, onClose, action }: ConfirmOwnRoleModalProps) {
  const { permissions } = useMe();
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Become ${role.name}?`}
      actionLabel="Change my role"
      action={() => action(role)}
      onDone={onClose}
    >
      <Text size="sm">At once you can no longer use these permissions, nor give them back to yourself:</Text>
      <Group gap={6}>
        {lostPermissions(role, permissions).map((permission) => (
          <Code key={permission}>{permission}</Code>
        ))}
      </Group>
    </ConfirmModal>
  );
}
