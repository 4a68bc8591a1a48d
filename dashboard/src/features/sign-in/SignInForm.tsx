import { Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconExternalLink } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { publicApi } from '../../api/public-api.js';
import { unwrap } from '../../api/service-error.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { session } from '../../session/session.js';
import { encodePath } from './own-path.js';
import { signInMethodsQuery } from './sign-in-methods.js';

interface SignInFormProps {
  /** When it is known who signs in: their address, which stays as it is. */
  email?: string;
  /** Path of the page to come back to from the identity provider. */
  returnTo: string;
  /** Whether to go to the identity provider in a tab of its own, so that nothing of this page is lost. */
  keepsPage?: boolean;
  onSignedIn: () => void | Promise<unknown>;
}

/** The ways to sign in that are open here: password, single sign-on, or both. */
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
          rightSection={keepsPage && <IconExternalLink size={16} aria-label="in a new tab" />}
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

function PasswordForm({ email = '', onSignedIn }: Pick<SignInFormProps, 'email' | 'onSignedIn'>) {
  const form = useForm({ initialValues: { email, password: '' } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async (credentials) => session.signIn(await unwrap(publicApi.POST('/auth/sign-in', { body: credentials }))),
    onDone: onSignedIn,
  });
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Email address"
          type="email"
          name="email"
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus={email === ''}
          readOnly={email !== ''}
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          withAsterisk={false}
          autoFocus={email !== ''}
          data-autofocus={email !== '' || undefined}
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
