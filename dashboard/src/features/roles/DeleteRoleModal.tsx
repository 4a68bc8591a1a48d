import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Role } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { notifyDone } from '../../lib/notify.js';

interface DeleteRoleModalProps {
  role: Role;
  isOpen: boolean;
  onClose: () => void;
}

/** Deletes a role that nobody has; who has it, the service says. */
export function DeleteRoleModal({ role: { id, name, memberCount }, isOpen, onClose }: DeleteRoleModalProps) {
  const finish = () => {
    onClose();
    notifyDone(`${name} is deleted.`);
    void refresh('roles');
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}?`}
      actionLabel="Delete role"
      nameToType={name}
      action={() => unwrap(api.DELETE('/roles/{id}', { params: { path: { id } } }))}
      onDone={finish}
    >
      <Text size="sm">
        {memberCount === 0
          ? 'No member has this role. It cannot be brought back.'
          : `${memberCount === 1 ? 'One member has' : `${memberCount} members have`} this role. Give them another one first, then it can be deleted.`}
      </Text>
    </ConfirmModal>
  );
}
