import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import type { CreatedInvitation } from '../../api/schema.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { exactTime } from '../../lib/format-time.js';

interface InvitationLinkProps {
  invitation: CreatedInvitation;
  onDone: () => void;
}

/** The link of a new invitation, to be sent by the user: the service sends no email. */
export function InvitationLink({ invitation: { email, role, link, expiresAt }, onDone }: InvitationLinkProps) {
  return (
    <Stack>
      <Text size="sm">
        Send this link to <b>{email}</b> yourself, for example by email or chat. Keycard sends no emails.
      </Text>
      <TextInput
        label="Invitation link"
        description={`Works once, until ${exactTime(expiresAt)}`}
        value={link}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
        autoFocus
      />
      <Text size="sm" c="dimmed">
        Anyone who opens it can join as {role.name}, so don’t share it with anyone else. It is shown only now; if it
        gets lost, make a new one under Invitations.
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
