import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { useFormDialog } from '../../hooks/use-form-dialog.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { CenteredCard } from '../../layout/CenteredCard.js';
import { focusMain } from '../../lib/restore-focus.js';
import { checkName } from '../../lib/text-rules.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { UnsavedChangesGuard } from '../../ui/FormModal.js';
import { NameInput } from '../../ui/NameInput.js';

/** Asks the first administrator for names that replace those of a new installation. */
export function FirstNamesPage({ onSkip }: { onSkip: () => void }) {
  return (
    <UnsavedChangesGuard isOpen onClose={onSkip}>
      {() => (
        <CenteredCard title="Welcome to Keycard">
          <FirstNamesForm />
        </CenteredCard>
      )}
    </UnsavedChangesGuard>
  );
}

function FirstNamesForm() {
  const page = useFormDialog();
  // The focused button is removed with the form.
  useEffect(() => focusMain, []);
  const form = useForm({
    initialValues: { organizationName: '', userName: '' },
    validate: { organizationName: checkName, userName: checkName },
    validateInputOnBlur: true,
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async ({ organizationName, userName }) => {
      await unwrap(api.PATCH('/auth/me', { body: { name: userName.trim() } }));
      await unwrap(api.PATCH('/organizations/current', { body: { name: organizationName.trim() } }));
    },
    onDone: () => refresh('me', 'organizations', 'members'),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">Your name is shown on the Members page. You can change both names later.</Text>
        <NameInput
          label="Organization name"
          placeholder="Example Ltd."
          autoComplete="organization"
          autoFocus
          {...form.getInputProps('organizationName')}
        />
        <NameInput
          label="Your name"
          placeholder="Ada Lovelace"
          autoComplete="name"
          {...form.getInputProps('userName')}
        />
        {formError !== null && <ErrorAlert error={formError} />}
        <Stack gap="xs">
          <Button type="submit" loading={isPending}>
            Save
          </Button>
          <Button variant="subtle" onClick={page?.tryToClose} disabled={isPending}>
            Not now
          </Button>
        </Stack>
      </Stack>
    </form>
  );
}
