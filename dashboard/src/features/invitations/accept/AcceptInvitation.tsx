import { Alert, Divider, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { InvitationPreview, SignInMethods } from '../../../api/schema.js';
import { exactTime } from '../../../lib/format-time.js';
import { CenteredCard } from '../../../layout/CenteredCard.js';
import { PasswordForm } from './PasswordForm.js';
import { SingleSignOnButton } from './SingleSignOnButton.js';
import { signedInUserQuery } from './signed-in-user.js';

interface AcceptInvitationProps {
  token: string;
  invitation: InvitationPreview;
  methods: SignInMethods;
}

/** Says who invites whom, as what, and offers the ways to accept. */
export function AcceptInvitation({ token, invitation, methods }: AcceptInvitationProps) {
  const { organization, role, email, expiresAt } = invitation;
  return (
    <CenteredCard title={`Join ${organization.name}`}>
      <Stack>
        <Text size="sm">
          You are invited to <b>{organization.name}</b> as <b>{role.name}</b>, with the address <b>{email}</b>.
        </Text>
        <OtherUser invited={email} />
        <Ways token={token} invitation={invitation} methods={methods} />
        <Text size="xs" c="dimmed">
          Open until {exactTime(expiresAt)}
        </Text>
      </Stack>
    </CenteredCard>
  );
}

function OtherUser({ invited }: { invited: string }) {
  const { data: user } = useQuery(signedInUserQuery);
  if (user === undefined || user === null || user.email === invited) return null;
  return (
    <Alert color="yellow" role="status">
      You are signed in as {user.email}. If you accept, this browser is signed in as {invited} instead.
    </Alert>
  );
}

/** Password, single sign-on, or both, as far as they are open to the invited address. */
function Ways({ token, invitation: { email, hasAccount, hasPassword }, methods }: AcceptInvitationProps) {
  const { password, oidc } = methods;
  const takesPassword = password && hasPassword !== false;
  if (!takesPassword && oidc === null) {
    return (
      <Alert color="yellow" role="status">
        This account has no password to join with. Ask the person who invited you for help.
      </Alert>
    );
  }
  return (
    <>
      {oidc !== null && <SingleSignOnButton token={token} name={oidc.name} isOnlyWay={!takesPassword} />}
      {oidc !== null && takesPassword && <Divider label="or" />}
      {takesPassword && <PasswordForm token={token} email={email} hasAccount={hasAccount} />}
    </>
  );
}
