import { Anchor, Text } from '@mantine/core';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useStore } from '../../../api/store.js';
import { CenteredCard } from '../../../layout/CenteredCard.js';
import { explainAcceptError } from './accept-errors.js';
import { invitationToken } from './invitation-token.js';
import { OpenInvitation } from './OpenInvitation.js';

const route = getRouteApi('/accept-invitation');

/** Where the link of an invitation leads: shows what somebody is invited to, and lets them in. */
export function AcceptInvitationPage() {
  const token = useStore(invitationToken);
  return token === undefined ? <NoToken /> : <OpenInvitation key={token} token={token} />;
}

/** After single sign-on has failed, after a reload, or with a link that was cut off. */
function NoToken() {
  const explanation = explainAcceptError(route.useSearch().error);
  return (
    <CenteredCard title={explanation === undefined ? 'Open your invitation' : 'The invitation was not accepted'}>
      {explanation !== undefined && (
        <Text size="sm" mb="sm">
          {explanation}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        Open the whole link that you were sent once more. Have you accepted already? Then{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          sign in
        </Anchor>
        .
      </Text>
    </CenteredCard>
  );
}
