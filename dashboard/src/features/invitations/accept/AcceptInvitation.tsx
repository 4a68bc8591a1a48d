import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../../api/api.js';
import { publicApi } from '../../../api/public-api.js';
import type { InvitationPreview, SignInMethods } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { CenteredCard } from '../../../ui/CenteredCard.js';
import { minuteTime } from '../../../lib/format-time.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { isSignedIn } from './is-signed-in.js';
import { PasswordForm } from './PasswordForm.js';

interface AcceptInvitationProps {
  token: string;
  invitation: InvitationPreview;
  methods: SignInMethods;
}

/** Shows the organization, role and email of an invitation and the ways to accept it. */
export function AcceptInvitation({ token, invitation, methods }: AcceptInvitationProps) {
  const { organization, role, email, expiresAt } = invitation;
  return (
    <CenteredCard title={`Join ${organization.name}`}>
      <Stack>
        <Text size="sm">
          You've been invited to join <b>{organization.name}</b> as <b>{role.name}</b>. The invitation is for{' '}
          <b>{email}</b>.
        </Text>
        <OtherUserAlert invited={email} />
        <AcceptOptions token={token} invitation={invitation} methods={methods} />
        <Text size="xs" c="dimmed">
          This invitation expires on {minuteTime(expiresAt)}.
        </Text>
      </Stack>
    </CenteredCard>
  );
}

/** Warns if the browser is signed in with an email other than the invited one. */
function OtherUserAlert({ invited }: { invited: string }) {
  const { data: email } = useQuery({ queryKey: ['signed-in-email'], queryFn: fetchSignedInEmail });
  if (email === undefined || email === null || email === invited) return null;
  return (
    <Alert color="yellow" role="status">
      You're signed in as {email}. Accepting the invitation signs you in as {invited} instead.
    </Alert>
  );
}

/** Returns null if no one is signed in. */
async function fetchSignedInEmail(): Promise<string | null> {
  return (await isSignedIn()) ? (await unwrap(api.GET('/auth/me'))).user.email : null;
}

/** Single sign-on, password or both, depending on the configuration and the invited account. */
function AcceptOptions({ token, invitation: { email, hasAccount, hasPassword }, methods }: AcceptInvitationProps) {
  const { password, oidc } = methods;
  const allowsPassword = password && hasPassword !== false;
  if (!allowsPassword && oidc === null) {
    return (
      <Alert color="yellow" role="status">
        Your account has no password, so you can't accept this invitation. Ask the person who invited you for help.
      </Alert>
    );
  }
  return (
    <>
      {oidc !== null && <SingleSignOnButton token={token} name={oidc.name} isOnlyOption={!allowsPassword} />}
      {oidc !== null && allowsPassword && <Divider label="or" />}
      {allowsPassword && <PasswordForm token={token} email={email} hasAccount={hasAccount} />}
    </>
  );
}

interface SingleSignOnButtonProps {
  token: string;
  /** Name of the identity provider. */
  name: string;
  isOnlyOption: boolean;
}

/** Accepts the invitation by signing in with the identity provider. */
function SingleSignOnButton({ token, name, isOnlyOption }: SingleSignOnButtonProps) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => unwrap(publicApi.POST('/auth/oidc/start-invitation', { body: { token } })),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <Stack>
      {error !== null && <ErrorAlert error={error} />}
      <Button variant={isOnlyOption ? 'filled' : 'default'} loading={isPending || isSuccess} onClick={() => mutate()}>
        Continue with {name}
      </Button>
    </Stack>
  );
}
