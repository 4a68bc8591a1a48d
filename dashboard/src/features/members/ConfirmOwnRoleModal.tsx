import { Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../api/schema.js';
import { ConfirmModal } from '../../components/ConfirmModal.js';
import { useMe } from '../../session/me.js';
import { lostPermissions } from './grants.js';

interface ConfirmOwnRoleModalProps {
  /** What was chosen; nothing is asked without. */
  role: Role | undefined;
  onClose: () => void;
  action: (role: Role) => Promise<unknown>;
}

/** Asks before people take permissions from themselves. */
export function ConfirmOwnRoleModal({ role, onClose, action }: ConfirmOwnRoleModalProps) {
  const { permissions } = useMe();
  // While the dialog fades, it still shows what it has asked.
  const [shown, setShown] = useState(role);
  if (role !== undefined && role !== shown) setShown(role);
  if (shown === undefined) return null;
  return (
    <ConfirmModal
      isOpen={role !== undefined}
      onClose={onClose}
      title={`Become ${shown.name}?`}
      actionLabel="Change my role"
      action={() => action(shown)}
      onDone={onClose}
    >
      <Text size="sm">At once you can no longer use these permissions, nor give them back to yourself:</Text>
      <Group gap={6}>
        {lostPermissions(shown, permissions).map((permission) => (
          <Code key={permission}>{permission}</Code>
        ))}
      </Group>
    </ConfirmModal>
  );
}
