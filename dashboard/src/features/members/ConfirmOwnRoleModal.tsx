import { Code, Group, Text } from '@mantine/core';
import type { Role } from '../../api/schema.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { useMe } from '../../session/me.js';
import { lostPermissions } from '../roles/role-permissions.js';

interface ConfirmOwnRoleModalProps {
  /** The user's new role. */
  role: Role;
  isOpen: boolean;
  onClose: () => void;
  action: (role: Role) => Promise<unknown>;
}

/** Asks for confirmation before users take permissions from themselves. */
export function ConfirmOwnRoleModal({ role, isOpen, onClose, action }: ConfirmOwnRoleModalProps) {
  const { permissions } = useMe();
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Change your role to ${role.name}?`}
      actionLabel="Change my role"
      action={() => action(role)}
      onDone={onClose}
    >
      <Text size="sm">You'll lose these permissions immediately. You can't undo this yourself.</Text>
      <Group gap={6}>
        {lostPermissions(role, permissions).map((permission) => (
          <Code key={permission}>{permission}</Code>
        ))}
      </Group>
    </ConfirmModal>
  );
}
