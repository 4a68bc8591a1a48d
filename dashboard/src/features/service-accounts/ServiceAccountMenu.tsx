import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconBan, IconCursorText, IconDots, IconRefresh, IconTrash } from '@tabler/icons-react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ServiceAccount } from '../../api/schema.js';
import { ignoreNotFound, unwrap } from '../../api/service-error.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { minuteTime } from '../../lib/format-time.js';
import { notifyDone } from '../../lib/notify.js';
import { usePermission } from '../../session/me.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';
import { RenameModal } from '../../ui/RenameModal.js';
import { roleSubject } from '../../common/roles/assign/role-change.js';
import { RotateSecretModal } from './RotateSecretModal.js';

/** Actions for a service account that the user has permission for. */
export function ServiceAccountMenu({ account }: { account: ServiceAccount }) {
  const { id, name, previousSecretExpiresAt } = account;
  const mayUpdate = usePermission('update-service-accounts');
  const mayDelete = usePermission('delete-service-accounts');
  const renaming = useDialog();
  const rotation = useDialog();
  const revocation = useDialog();
  const deletion = useDialog();
  if (!mayUpdate && !mayDelete) return null;
  const path = { path: { id } };
  const rename = async (newName: string) => {
    await unwrap(api.PATCH('/service-accounts/{id}', { params: path, body: { name: newName } }));
    await refresh('service-accounts');
    notifyDone(`Service account renamed to ${newName}.`);
  };
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {mayUpdate && (
            <Menu.Item leftSection={<IconCursorText size={16} aria-hidden />} onClick={() => renaming.open()}>
              Rename
            </Menu.Item>
          )}
          {mayUpdate && (
            <Menu.Item leftSection={<IconRefresh size={16} aria-hidden />} onClick={() => rotation.open()}>
              Rotate client secret
            </Menu.Item>
          )}
          {mayUpdate && previousSecretExpiresAt !== undefined && (
            <Menu.Item leftSection={<IconBan size={16} aria-hidden />} onClick={() => revocation.open()}>
              Revoke previous client secret
            </Menu.Item>
          )}
          {mayDelete && (
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => deletion.open()}
            >
              Delete service account
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <RenameModal
        isOpen={renaming.isOpen}
        onClose={renaming.close}
        title="Rename service account"
        description="Its client ID and client secret don't change."
        currentName={name}
        rename={rename}
      />
      <RotateSecretModal account={account} isOpen={rotation.isOpen} onClose={rotation.close} />
      {previousSecretExpiresAt !== undefined && (
        <ConfirmModal
          isOpen={revocation.isOpen}
          onClose={revocation.close}
          title="Revoke the previous client secret?"
          actionLabel="Revoke now"
          action={() => ignoreNotFound(api.DELETE('/service-accounts/{id}/previous-secret', { params: path }))}
          onDone={() => {
            revocation.close();
            notifyDone('Previous client secret revoked. Requests using it are now rejected.');
            void refresh('service-accounts');
          }}
        >
          <Text size="sm">
            It works until {minuteTime(previousSecretExpiresAt)}. Anything that still uses it will stop working
            immediately.
          </Text>
        </ConfirmModal>
      )}
      <ConfirmModal
        isOpen={deletion.isOpen}
        onClose={deletion.close}
        title="Delete service account"
        actionLabel="Delete service account"
        nameToType={name}
        action={() => ignoreNotFound(api.DELETE('/service-accounts/{id}', { params: path }))}
        onDone={() => {
          deletion.close();
          notifyDone(`${name} deleted. Its requests are now rejected.`, roleSubject(account));
          void refresh('service-accounts', 'roles');
        }}
      >
        <Text size="sm">
          Anything using this service account will stop working immediately. API keys it created keep working. You
          can&apos;t undo this.
        </Text>
      </ConfirmModal>
    </>
  );
}
