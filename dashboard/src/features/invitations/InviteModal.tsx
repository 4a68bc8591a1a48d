import { useState } from 'react';
import type { CreatedInvitation } from '../../api/schema.js';
import { FormModal } from '../../ui/FormModal.js';
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
  // The link is only shown once.
  const mayClose = created === undefined;
  const formTitle = invitee.email === '' ? 'Invite member' : 'Create new link';
  return (
    <FormModal
      isOpen={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setCreated(undefined)}
      closeOnEscape={mayClose}
      closeOnClickOutside={mayClose}
      withCloseButton={mayClose}
      title={created === undefined ? formTitle : 'Invitation created'}
    >
      {created === undefined ? (
        <InviteForm invitee={invitee} onCreated={setCreated} />
      ) : (
        <InvitationLink invitation={created} onDone={onClose} />
      )}
    </FormModal>
  );
}
