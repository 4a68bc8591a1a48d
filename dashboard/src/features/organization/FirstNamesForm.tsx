import { Button, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { useUnsavedChanges } from '../../hooks/use-unsaved-changes.js';
import { checkOnBlur } from '../../lib/check-on-blur.js';
import { focusMain } from '../../lib/restore-focus.js';
import { checkName } from '../../lib/text-rules.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { NameInput } from '../../ui/NameInput.js';
import { UnsavedChangesModal } from '../../ui/UnsavedChangesModal.js';

/** Asks for the names of the organization and the user. Both can be changed later. */
export function FirstNamesForm({ onSkip }: { onSkip: () => void }) {
  // The focused button is removed with the form.
  useEffect(() => focusMain, []);
  const form = useForm({
    initialValues: { organizationName: '', userName: '' },
    validate: { organizationName: checkName, userName: checkName },
    enhanceGetInputProps: checkOnBlur,
  });
  const { tryToClose, ...confirmation } = useUnsavedChanges({ isDirty: form.isDirty(), onClose: onSkip });
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
        <Text size="sm">
          Colleagues see your name next to what you create and change. You can change both names later.
        </Text>
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
          <Button variant="subtle" onClick={tryToClose} disabled={isPending}>
            Not now
          </Button>
        </Stack>
      </Stack>
      {form.isDirty() && <UnsavedChangesModal {...confirmation} />}
    </form>
  );
}
