import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { NewPasswordInput } from '../../../ui/NewPasswordInput.js';
import { checkName, checkNewPassword } from '../../../lib/text-rules.js';
import { useAcceptance } from './use-acceptance.js';

/** Makes an account for the invited address, and accepts with it. */
export function NewAccountForm({ token, email }: { token: string; email: string }) {
  const form = useForm({
    initialValues: { name: '', password: '' },
    validateInputOnBlur: true,
    validate: { name: checkName, password: checkNewPassword },
  });
  const { submit, isPending, formError } = useAcceptance(token, form);
  return (
    <form onSubmit={submit} noValidate>
      <input hidden type="text" name="email" autoComplete="username" value={email} readOnly />
      <Stack>
        <TextInput label="Your name" name="name" autoComplete="name" autoFocus {...form.getInputProps('name')} />
        <NewPasswordInput label="New password" name="password" {...form.getInputProps('password')} />
        {formError !== null && <ErrorAlert error={formError} />}
        <Button type="submit" loading={isPending}>
          Create account and join
        </Button>
      </Stack>
    </form>
  );
}
