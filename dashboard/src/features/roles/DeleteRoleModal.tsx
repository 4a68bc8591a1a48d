import { Text } from '@mantine/core';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Role } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { pluralize } from '../../lib/format-numbers.js';
import { notifyDone } from '../../lib/notify.js';

interface DeleteRoleModalProps {
  role: Role;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for confirmation, then deletes a role. The API rejects it while the role is in use. */
export function DeleteRoleModal({ role, isOpen, onClose }: DeleteRoleModalProps) {
  const { id, name, memberCount, serviceAccountCount } = role;
  const isUnused = memberCount + serviceAccountCount === 0;
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
      nameToType={isUnused ? name : undefined}
      isPossible={isUnused}
      action={() => unwrap(api.DELETE('/roles/{id}', { params: { path: { id } } }))}
      onDone={finish}
    >
      <Text size="sm">
        {isUnused
          ? "No member or service account has this role. You can't undo this."
          : `This role is in use by ${describeHolders(role)}. Assign another role first.`}
      </Text>
    </ConfirmModal>
  );
}

/** For example, "2 members and 1 service account". */
function describeHolders({ memberCount, serviceAccountCount }: Role): string {
  return [
    ...(memberCount > 0 ? [pluralize(memberCount, 'member')] : []),
    ...(serviceAccountCount > 0 ? [pluralize(serviceAccountCount, 'service account')] : []),
  ].join(' and ');
}
