import { Modal } from '@mantine/core';
import { useState } from 'react';
import type { CreatedInvitation } from '../../api/schema.js';
import { InvitationLink } from './InvitationLink.js';
import { InviteForm } from './InviteForm.js';

/** What is known before the form is filled in. */
export interface Invitee {
  email: string;
  /** `null` until a role is chosen. */
  roleId: string | null;
}

interface InviteModalProps {
  invitee: Invitee;
  isOpen: boolean;
  onClose: () => void;
}

/** Invites somebody, then shows the link, this once: it is kept nowhere but in here. */
export function InviteModal({ invitee, isOpen, onClose }: InviteModalProps) {
  const [created, setCreated] = useState<CreatedInvitation>();
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      // The link cannot be had again: a click beside the dialog must not lose it.
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
