import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedInvitation } from '../../api/schema.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { exactTime } from '../../lib/format-time.js';

interface InvitationLinkProps {
  invitation: CreatedInvitation;
  onDone: () => void;
}

/** Shows the link of a new invitation. The user sends it, because Keycard doesn't send emails. */
export function InvitationLink({ invitation: { email, role, link, expiresAt }, onDone }: InvitationLinkProps) {
  return (
    <Stack>
      <Text size="sm">
        Keycard doesn't send emails. Copy this link and send it to <b>{email}</b>.
      </Text>
      <TextInput
        label="Invitation link"
        description={`Works once. Expires ${exactTime(expiresAt)}.`}
        value={link}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        autoFocus
      />
      <Text size="sm" c="dimmed">
        Anyone with this link can join as {role.name}. You won't see it again, but you can create a new one on the
        Invitations tab.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Done
        </Button>
        <CopyButton value={link} label="Copy link" />
      </Group>
    </Stack>
  );
}
