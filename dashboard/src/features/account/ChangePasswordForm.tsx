import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { maxCheckedPasswordLength } from '@rules/text-rules.js';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { UnsavedChangesPrompt } from '../../ui/UnsavedChangesPrompt.js';
import { NewPasswordInput } from '../../ui/NewPasswordInput.js';
import { PasswordField } from '../../ui/PasswordField.js';
import { notifyDone } from '../../lib/notify.js';
import { checkNewPassword } from '../../lib/text-rules.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { useMe } from '../../session/me.js';

/** Changes the user's password, which ends their other sessions. */
export function ChangePasswordForm() {
  const { user } = useMe();
  const form = useForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (text) => (text === '' ? 'Enter your current password.' : undefined),
      newPassword: (text, { currentPassword }) =>
        checkNewPassword(text) ?? (text === currentPassword ? 'Use a different password.' : undefined),
    },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (body) => unwrap(api.POST('/auth/change-password', { body })),
    onDone: async () => {
      form.reset();
      notifyDone('Password changed. Your other devices were signed out.');
      await refresh('sessions');
    },
  });
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="change-password">
      <Title order={2} size="h4" id="change-password">
        Change password
      </Title>
      <Text size="sm" c="dimmed" mt={4} mb="md">
        You'll be signed out everywhere else.
      </Text>
      <form onSubmit={submit} noValidate>
        {/* For password managers: the account of the password. */}
        <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
        <Stack maw={400}>
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            maxLength={maxCheckedPasswordLength}
            visibilityToggleButtonProps={{ 'aria-label': 'Show current password', tabIndex: 0 }}
            {...form.getInputProps('currentPassword')}
          />
          <NewPasswordInput label="New password" name="newPassword" {...form.getInputProps('newPassword')} />
          {formError !== null && <ErrorAlert error={formError} />}
          <Group>
            <Button type="submit" loading={isPending}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
      <UnsavedChangesPrompt isDirty={form.isDirty()} />
    </Paper>
  );
}
