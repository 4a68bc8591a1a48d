import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect } from 'react';
import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import { unwrap } from '../../api/service-error.js';
import { useFormSubmission } from '../../hooks/use-form-submission.js';
import { focusMain } from '../../lib/restore-focus.js';
import { checkName } from '../../lib/text-rules.js';
import { FormActions } from '../../ui/FormActions.js';
import { FormModal } from '../../ui/FormModal.js';
import { NameInput } from '../../ui/NameInput.js';

interface FirstNamesModalProps {
  isOpen: boolean;
  onClose: () => void;
}

/** Asks the first administrator for names that replace those of a new installation. */
export function FirstNamesModal({ isOpen, onClose }: FirstNamesModalProps) {
  // Nothing had the focus before, and the dialog is removed once the names are changed.
  useEffect(() => focusMain, []);
  return (
    <FormModal isOpen={isOpen} onClose={onClose} title="Welcome to Keycard">
      <FirstNamesForm onClose={onClose} />
    </FormModal>
  );
}

function FirstNamesForm({ onClose }: Pick<FirstNamesModalProps, 'onClose'>) {
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
    onDone: async () => {
      await refresh('me', 'organizations', 'members');
      onClose();
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">Your name is shown on the Members page. You can change both names later.</Text>
        <NameInput
          label="Organization name"
          placeholder="Example Ltd."
          autoComplete="organization"
          {...form.getInputProps('organizationName')}
        />
        <NameInput
          label="Your name"
          placeholder="Ada Lovelace"
          autoComplete="name"
          data-autofocus={undefined}
          {...form.getInputProps('userName')}
        />
        <FormActions submitLabel="Save" cancelLabel="Not now" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
