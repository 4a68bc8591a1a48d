import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { maxCheckedPasswordLength, nameLength } from '@rules/text-rules.js';
import { publicApi } from '../../../api/public-api.js';
import type { AcceptInvitation } from '../../../api/schema.js';
import { unwrap } from '../../../api/service-error.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { checkOnBlur } from '../../../lib/check-on-blur.js';
import { checkName, checkNewPassword, fieldLength } from '../../../lib/text-rules.js';
import { session } from '../../../session/session.js';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { NewPasswordInput } from '../../../ui/NewPasswordInput.js';
import { PasswordField } from '../../../ui/PasswordField.js';
import { UnsavedChangesPrompt } from '../../../ui/UnsavedChangesPrompt.js';

interface PasswordFormProps {
  token: string;
  /** Invited email. */
  email: string;
  /** Only known if the user is signed in to the account. */
  hasAccount: boolean | undefined;
}

/**
 * Accepts an invitation with a password. The user chooses between a new and an existing account, because the API doesn't
 * reveal whether one exists.
 */
export function PasswordForm({ token, email, hasAccount = false }: PasswordFormProps) {
  const [isExisting, setIsExisting] = useState(hasAccount);
  // Here, so that each form keeps its values while the other one is shown.
  const newAccount = useNewAccount(token);
  const existingAccount = useExistingAccount(token);
  const isDirty = newAccount.form.isDirty() || existingAccount.form.isDirty();
  const isPending = newAccount.isPending || existingAccount.isPending;
  return (
    <>
      {/* Above the form, so that a validation error shown on blur doesn't move the link away from the pointer. */}
      {!hasAccount && (
        <Text size="sm">
          {isExisting ? 'New to Keycard?' : 'Already have an account?'}{' '}
          <Anchor component="button" type="button" underline="always" onClick={() => setIsExisting(!isExisting)}>
            {isExisting ? 'Create an account' : 'Use your password'}
          </Anchor>
        </Text>
      )}
      {isExisting ? (
        <ExistingAccountForm email={email} {...existingAccount} />
      ) : (
        <NewAccountForm email={email} {...newAccount} />
      )}
      <UnsavedChangesPrompt isDirty={isDirty && !isPending} />
    </>
  );
}

function useNewAccount(token: string) {
  const form = useForm({
    initialValues: { name: '', password: '' },
    enhanceGetInputProps: checkOnBlur,
    validate: { name: checkName, password: checkNewPassword },
  });
  return { form, ...useAcceptInvitation(token, form) };
}

function useExistingAccount(token: string) {
  const form = useForm({ initialValues: { password: '' } });
  return { form, ...useAcceptInvitation(token, form) };
}

function NewAccountForm({
  email,
  form,
  submit,
  isPending,
  formError,
}: ReturnType<typeof useNewAccount> & { email: string }) {
  return (
    <form onSubmit={submit} noValidate>
      <HiddenUsername email={email} />
      <Stack>
        <TextInput
          label="Your name"
          name="name"
          autoComplete="name"
          autoFocus
          maxLength={fieldLength(nameLength.max)}
          {...form.getInputProps('name')}
        />
        <NewPasswordInput label="Password" name="password" {...form.getInputProps('password')} />
        {formError !== null && <ErrorAlert error={formError} />}
        <Button type="submit" loading={isPending}>
          Create account and join
        </Button>
      </Stack>
    </form>
  );
}

function ExistingAccountForm({
  email,
  form,
  submit,
  isPending,
  formError,
}: ReturnType<typeof useExistingAccount> & { email: string }) {
  return (
    <form onSubmit={submit}>
      <HiddenUsername email={email} />
      <Stack>
        <PasswordField
          label="Password"
          description="The password of your existing account."
          name="password"
          autoComplete="current-password"
          maxLength={maxCheckedPasswordLength}
          required
          withAsterisk={false}
          autoFocus
          {...form.getInputProps('password')}
        />
        {formError !== null && <ErrorAlert error={formError} />}
        <Button type="submit" loading={isPending}>
          Join
        </Button>
      </Stack>
    </form>
  );
}

/** For password managers: the account of the password. */
function HiddenUsername({ email }: { email: string }) {
  return <input hidden type="text" name="email" autoComplete="username" value={email} readOnly />;
}

/** Accepts the invitation with the form's values, then opens the dashboard. */
function useAcceptInvitation<Values extends Omit<AcceptInvitation, 'token'>>(
  token: string,
  form: UseFormReturnType<Values>,
) {
  return useFormSubmission({
    form,
    send: (values) => unwrap(publicApi.POST('/auth/accept-invitation', { body: { ...values, token } })),
    onDone: () => {
      session.restart();
      // Never resolves, so the button stays busy until the page unloads.
      return new Promise<never>(() => undefined);
    },
  });
}
