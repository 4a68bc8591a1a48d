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

/** Asks for confirmation, then deletes a role. The API rejects it while the role is in use. */
export function DeleteRoleModal({ role: { id, name, memberCount }, isOpen, onClose }: DeleteRoleModalProps) {
  const finish = () => {
    onClose();
    notifyDone(`${name} deleted.`);
    void refresh('roles');
  };
  return (
    <ConfirmModal
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}?`}
      actionLabel="Delete role"
      nameToType={memberCount === 0 ? name : undefined}
      isPossible={memberCount === 0}
      action={() => unwrap(api.DELETE('/roles/{id}', { params: { path: { id } } }))}
      onDone={finish}
    >
      <Text size="sm">
        {memberCount === 0
          ? "No member has this role. You can't undo this."
          : `${memberCount === 1 ? 'One member has' : `${memberCount} members have`} this role. Assign ${memberCount === 1 ? 'that member' : 'them'} another role first.`}
      </Text>
    </ConfirmModal>
  );
}
