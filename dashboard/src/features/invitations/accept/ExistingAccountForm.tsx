import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ErrorAlert } from '../../../ui/ErrorAlert.js';
import { useAcceptance } from './use-acceptance.js';

/** Accepts with the password of the account that the invited address has already. */
export function ExistingAccountForm({ token, email }: { token: string; email: string }) {
  const form = useForm({ initialValues: { password: '' } });
  const { submit, isPending, formError } = useAcceptance(token, form);
  return (
    <form onSubmit={submit}>
      <input hidden type="text" name="email" autoComplete="username" value={email} readOnly />
      <Stack>
        <Text size="sm">Enter the password of your account.</Text>
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
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
