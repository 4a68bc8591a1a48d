import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { publicApi } from '../../api/public-api.js';
import { unwrap } from '../../api/service-error.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { fieldLength } from '../../lib/text-rules.js';
import { knownEmail } from '../../session/known-email.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';

/** Requests a link to set a new password by email. */
export function RequestResetForm() {
  const [isSent, setIsSent] = useState(false);
  const form = useForm({ initialValues: { email: knownEmail.get() } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (body) => unwrap(publicApi.POST('/auth/request-password-reset', { body })),
    onDone: () => setIsSent(true),
  });
  if (isSent) {
    return (
      <Text size="sm" role="status">
        If there&apos;s an account with this email, you&apos;ll get a link. It works once, for an hour.
      </Text>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">Enter your email to get a link to set a new password.</Text>
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          maxLength={fieldLength(maxEmailLength)}
          required
          withAsterisk={false}
          autoFocus
          {...form.getInputProps('email')}
        />
        {formError !== null && <ErrorAlert error={formError} />}
        <Button type="submit" loading={isPending}>
          Send link
        </Button>
      </Stack>
    </form>
  );
}
