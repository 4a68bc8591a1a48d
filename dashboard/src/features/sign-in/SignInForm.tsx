import { Button, Divider, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { maxCheckedPasswordLength } from '@rules/text-rules.js';
import { publicApi } from '../../api/public-api.js';
import { ServiceError, unwrap } from '../../api/service-error.js';
import { fieldLength } from '../../lib/text-rules.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PasswordField } from '../../ui/PasswordField.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { session } from '../../session/session.js';
import { knownEmail } from '../../session/known-email.js';
import { encodePath } from './return-path.js';
import { signInMethodsQuery } from '../../session/sign-in-methods.js';

interface SignInFormProps {
  /** If set, the user can't sign in with another email. */
  email?: string;
  /** Path to return to after single sign-on. */
  returnTo: string;
  /** Opens the identity provider in a new tab, to keep the state of this page. */
  keepsPage?: boolean;
  onSignedIn: () => void | Promise<unknown>;
}

/** Signs in by password, single sign-on or both, depending on the configuration. */
export function SignInForm({ email, returnTo, keepsPage = false, onSignedIn }: SignInFormProps) {
  const methods = useQuery(signInMethodsQuery);
  if (methods.isError) return <ErrorAlert error={methods.error} onRetry={() => void methods.refetch()} />;
  const { password, oidc } = methods.data ?? { password: true, oidc: null };
  return (
    <Stack>
      {oidc !== null && (
        <Button
          component="a"
          href={`${oidc.startUrl}?returnTo=${encodeURIComponent(encodePath(returnTo))}`}
          target={keepsPage ? '_blank' : undefined}
          rightSection={keepsPage && <IconExternalLink size={16} aria-label="(opens in a new tab)" />}
          variant={password ? 'default' : 'filled'}
        >
          Continue with {oidc.name}
        </Button>
      )}
      {oidc !== null && password && <Divider label="or" />}
      {password && <PasswordForm email={email} onSignedIn={onSignedIn} />}
    </Stack>
  );
}

/**
 * Leaving this form never asks for confirmation, because it only holds credentials. The email is still there when the
 * user comes back from another page; the password isn't.
 */
function PasswordForm({ email = '', onSignedIn }: Pick<SignInFormProps, 'email' | 'onSignedIn'>) {
  const isFixed = email !== '';
  const form = useForm({
    initialValues: { email: isFixed ? email : knownEmail.get(), password: '' },
    onValuesChange: (values) => knownEmail.set(values.email),
  });
  const hasEmail = form.getInitialValues().email !== '';
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async (credentials) => session.signIn(await unwrap(publicApi.POST('/auth/sign-in', { body: credentials }))),
    onDone: onSignedIn,
  });
  const passwordField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Typing replaces the wrong password, which is hidden.
    if (formError instanceof ServiceError && formError.status === 401) passwordField.current?.select();
  }, [formError]);
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Email"
          type="email"
          maxLength={fieldLength(maxEmailLength)}
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={!hasEmail}
          readOnly={isFixed}
          {...form.getInputProps('email')}
        />
        <PasswordField
          ref={passwordField}
          label="Password"
          name="password"
          autoComplete="current-password"
          maxLength={maxCheckedPasswordLength}
          required
          withAsterisk={false}
          autoFocus={hasEmail}
          data-autofocus={hasEmail || undefined}
          {...form.getInputProps('password')}
        />
        {formError !== null && <ErrorAlert error={formError} />}
        <Button type="submit" loading={isPending}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}
