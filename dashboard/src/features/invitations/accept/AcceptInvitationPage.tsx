import { Anchor, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { api } from '../../../api/api.js';
import { publicApi } from '../../../api/public-api.js';
import type { InvitationPreview } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { CenteredCard } from '../../../ui/CenteredCard.js';
import { useLinkToken } from '../../../url-tokens.js';
import { signInMethodsQuery } from '../../../session/sign-in-methods.js';
import { explainAcceptError } from './accept-errors.js';
import { AcceptInvitation } from './AcceptInvitation.js';
import { InvitationProblem } from './InvitationProblem.js';
import { isSignedIn } from './is-signed-in.js';

const route = getRouteApi('/accept-invitation');

/** Where invitation links lead. */
export function AcceptInvitationPage() {
  const token = useLinkToken();
  return token === undefined ? <MissingToken /> : <LoadedInvitation key={token} token={token} />;
}

/** Shown after failed single sign-on, and without the token of a link. */
function MissingToken() {
  const explanation = explainAcceptError(route.useSearch().error);
  return (
    <CenteredCard title={explanation === undefined ? 'Open your invitation' : "Couldn't accept the invitation"}>
      <Text size="sm" mb="sm">
        {explanation ?? 'To join an organization, open the invitation link you received.'}
      </Text>
      <Text size="sm" c="dimmed">
        {explanation !== undefined && 'To try again, open the link again. '}
        Already accepted the invitation?{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          Sign in
        </Anchor>
      </Text>
    </CenteredCard>
  );
}

function LoadedInvitation({ token }: { token: string }) {
  const methods = useQuery(signInMethodsQuery);
  const invitation = useQuery({
    queryKey: ['invitation-preview', token],
    queryFn: () => previewInvitation(token),
    // Don't keep the token in the cache, and don't retry wrong tokens, which are rate-limited.
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

/** Authenticates the request if possible: only the owner of the invited account learns how it can sign in. */
async function previewInvitation(token: string): Promise<InvitationPreview> {
  const client = (await isSignedIn()) ? api : publicApi;
  return unwrap(client.POST('/auth/preview-invitation', { body: { token } }));
}
