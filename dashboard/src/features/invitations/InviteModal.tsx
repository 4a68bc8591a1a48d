import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { CreatedInvitation } from '../../api/schema.js';
import { InvitationLink } from './InvitationLink.js';
import { InviteForm } from './InviteForm.js';

/** Initial values of the form. */
export interface Invitee {
  email: string;
  /** `null` until a role is selected. */
  roleId: string | null;
}

interface InviteModalProps {
  invitee: Invitee;
  isOpen: boolean;
  onClose: () => void;
}

/** Creates an invitation, then shows its link once. */
export function InviteModal({ invitee, isOpen, onClose }: InviteModalProps) {
  const [created, setCreated] = useState<CreatedInvitation>();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      // The link is only shown once, so a stray click must not close the dialog.
      closeOnClickOutside={created === undefined}
      title={created === undefined ? 'Invite member' : 'Invitation created'}
      centered
    >
      {created === undefined ? (
        <InviteForm invitee={invitee} onCreated={setCreated} onCancel={onClose} />
      ) : (
        <InvitationLink invitation={created} onDone={onClose} />
      )}
    </Modal>
  );
}
