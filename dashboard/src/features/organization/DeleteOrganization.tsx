import { Button, Group, List, Paper, Text, Title } from '@mantine/core';
import { api } from '../../api/api.js';
import type { MyOrganization } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { useDialog } from '../../hooks/use-dialog.js';
import { usePermission } from '../../session/me.js';
import { notifyAfterReload } from '../../lib/notify.js';
import { session } from '../../session/session.js';
import { ConfirmModal } from '../../ui/ConfirmModal.js';

const deleteOrganization = () => unwrap(api.DELETE('/organizations/current'));

interface DeleteOrganizationProps {
  /** The current organization. */
  organization: MyOrganization;
  /** Whether the user belongs to other organizations. */
  hasOthers: boolean;
}

/** Deletes the organization after the user types its name. Hidden from users who lack the permission. */
export function DeleteOrganization({ organization: { name }, hasOthers }: DeleteOrganizationProps) {
  const mayDelete = usePermission('delete-organization');
  const dialog = useDialog();
  if (!mayDelete) return null;
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="delete-organization">
      <Group justify="space-between">
        <div>
          <Title order={2} size="h4" id="delete-organization">
            Delete organization
          </Title>
          <Text size="sm" c="dimmed" mt={4}>
            Its API keys stop working immediately. You can&apos;t undo this.
          </Text>
        </div>
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => dialog.open()}>
          Delete organization
        </Button>
      </Group>
      <ConfirmModal
        isOpen={dialog.isOpen}
        onClose={dialog.close}
        title="Delete organization"
        actionLabel="Delete organization"
        nameToType={name}
        action={() => (hasOthers ? notifyAfterReload(`${name} deleted.`, deleteOrganization) : deleteOrganization())}
        onDone={() => session.restart()}
      >
        <Text size="sm">You can&apos;t undo this. You&apos;ll lose:</Text>
        <List size="sm">
          <List.Item>All API keys. Anything using them will stop working immediately.</List.Item>
          <List.Item>All roles, invitations and service accounts, and the access of all members.</List.Item>
          <List.Item>Usage, failed requests and the audit log.</List.Item>
        </List>
        <Text size="sm">
          {hasOthers
            ? "You'll continue in another of your organizations."
            : "You don't belong to another organization, so you'll need an invitation to use Keycard again."}
        </Text>
      </ConfirmModal>
    </Paper>
  );
}
