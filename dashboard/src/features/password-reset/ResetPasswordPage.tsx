import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { publicApi } from '../../api/public-api.js';
import { unwrap } from '../../api/service-error.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { NewPasswordInput } from '../../ui/NewPasswordInput.js';
import { UnsavedChangesPrompt } from '../../ui/UnsavedChangesPrompt.js';
import { checkNewPassword } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { CenteredCard } from '../../ui/CenteredCard.js';
import { useLinkToken } from '../../url-tokens.js';
import { knownEmail } from '../../session/known-email.js';
import { signInMethodsQuery } from '../../session/sign-in-methods.js';
import { RequestResetForm } from './RequestResetForm.js';

/** Sets a new password with a one-time link, or requests one. */
export function ResetPasswordPage() {
  const token = useLinkToken();
  const navigate = useNavigate();
  const [isDone, setIsDone] = useState(false);
  const finish = ({ email }: { email: string }) => {
    knownEmail.set(email);
    setIsDone(true);
    // The token can't be used again, also not after a reload.
    void navigate({ to: '/reset-password', replace: true, state: {} });
  };
  if (isDone) return <Done />;
  if (token === undefined) return <MissingToken />;
  return (
    <CenteredCard title="Set a new password">
      <ResetPasswordForm token={token} onDone={finish} />
    </CenteredCard>
  );
}

function ResetPasswordForm({ token, onDone }: { token: string; onDone: (account: { email: string }) => void }) {
  const form = useForm({ initialValues: { newPassword: '' }, validate: { newPassword: checkNewPassword } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => unwrap(publicApi.POST('/auth/reset-password', { body: { ...values, token } })),
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">You'll be signed out on all devices.</Text>
        <NewPasswordInput label="New password" name="newPassword" autoFocus {...form.getInputProps('newPassword')} />
        {formError !== null && <ErrorAlert error={formError} />}
        <Button type="submit" loading={isPending}>
          Set password
        </Button>
      </Stack>
      <UnsavedChangesPrompt isDirty={form.isDirty() && !isPending} />
    </form>
  );
}

function Done() {
  const link = useRef<HTMLButtonElement>(null);
  // The form that had the focus is gone.
  useEffect(() => link.current?.focus(), []);
  return (
    <CenteredCard title="Password set">
      <Stack>
        <Text size="sm">You can now sign in with your new password.</Text>
        <Button ref={link} renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          Sign in
        </Button>
      </Stack>
    </CenteredCard>
  );
}

/** Shown without the token of a link. */
function MissingToken() {
  const methods = useQuery(signInMethodsQuery);
  if (methods.data?.passwordReset === true) {
    return (
      <CenteredCard title="Set a new password">
        <RequestResetForm />
      </CenteredCard>
    );
  }
  return (
    <CenteredCard title="Set a new password">
      <Text size="sm">
        Open the reset link you received. If you don&apos;t have one, ask the operator of this server for it, or{' '}
        <Anchor underline="always" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
          sign in
        </Anchor>
        .
      </Text>
    </CenteredCard>
  );
}
