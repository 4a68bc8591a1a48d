import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { CreatedInvitation } from '../../api/schema.js';
import { CopyButton } from '../../ui/CopyButton.js';
import { SavedConfirmation } from '../../ui/SavedConfirmation.js';
import { minuteTime } from '../../lib/format-time.js';

interface InvitationLinkProps {
  invitation: CreatedInvitation;
  onDone: () => void;
}

/** Shows the link of a new invitation once. The user sends it, because Keycard doesn't send emails. */
export function InvitationLink({ invitation: { email, role, link, expiresAt }, onDone }: InvitationLinkProps) {
  const [isSaved, setIsSaved] = useState(false);
  return (
    <Stack>
      <Text size="sm">
        Keycard doesn't send emails. Copy this link and send it to <b>{email}</b>.
      </Text>
      <TextInput
        label="Invitation link"
        description={`Works once. Expires ${minuteTime(expiresAt)}.`}
        value={link}
        readOnly
        // Backwards, or the field would scroll to its end.
        onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, link.length, 'backward')}
        onCopy={() => setIsSaved(true)}
        autoFocus
      />
      <Group>
        <CopyButton value={link} label="Copy link" onCopied={() => setIsSaved(true)} />
      </Group>
      <Text size="sm" c="dimmed">
        Anyone with this link can join as {role.name}. You won't see it again, but you can create a new one on the
        Members page, under Invitations.
      </Text>
      <SavedConfirmation label="I've saved this link" isSaved={isSaved} onChange={setIsSaved} onDone={onDone} />
    </Stack>
  );
}
