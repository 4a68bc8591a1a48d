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

/** Asks for confirmation, then deletes an unused role. The API rejects it if the role is in use by then. */
export function DeleteRoleModal({ role: { id, name }, isOpen, onClose }: DeleteRoleModalProps) {
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
      nameToType={name}
      action={() => unwrap(api.DELETE('/roles/{id}', { params: { path: { id } } }))}
      onDone={finish}
    >
      <Text size="sm">No member, service account or invitation has this role. You can&apos;t undo this.</Text>
    </ConfirmModal>
  );
}
