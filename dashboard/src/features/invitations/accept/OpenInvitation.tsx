import { Group, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { publicApi } from '../../../api/public-api.js';
import type { InvitationPreview } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { CenteredCard } from '../../../layout/CenteredCard.js';
import { session } from '../../../session/session.js';
import { signInMethodsQuery } from '../../sign-in/sign-in-methods.js';
import { AcceptInvitation } from './AcceptInvitation.js';
import { InvitationProblem } from './InvitationProblem.js';

/** What the token stands for, or why it no longer stands for anything. */
export function OpenInvitation({ token }: { token: string }) {
  const methods = useQuery(signInMethodsQuery);
  const invitation = useQuery({
    queryKey: ['invitation-preview', token],
    queryFn: () => previewInvitation(token),
    // Nothing of the token stays behind, and wrong ones, of which few are allowed, are tried once.
    gcTime: 0,
    staleTime: Infinity,
    retryOnMount: false,
  });
  const error = invitation.error ?? methods.error;
  if (error !== null) {
    const retry = () => void Promise.all([invitation.refetch(), methods.refetch()]);
    return <InvitationProblem error={error} onRetry={retry} />;
  }
  if (invitation.data === undefined || methods.data === undefined) {
    return (
      <CenteredCard title="Your invitation">
        <Group justify="center">
          <Loader aria-label="Loading" />
        </Group>
      </CenteredCard>
    );
  }
  return <AcceptInvitation token={token} invitation={invitation.data} methods={methods.data} />;
}

/** Sent with the session, if there is one: the owner of the invited account learns what it can join with. */
async function previewInvitation(token: string): Promise<InvitationPreview> {
  await session.resume();
  const client = session.status.get() === 'signed-in' ? api : publicApi;
  return unwrap(client.POST('/auth/preview-invitation', { body: { token } }));
}
