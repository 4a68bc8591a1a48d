import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { api } from '../../../api/api.js';
import { refresh } from '../../../api/refresh.js';
import { unwrap } from '../../../api/service-error.js';
import { FormActions } from '../../../ui/FormActions.js';
import { FormModal } from '../../../ui/FormModal.js';
import { NameInput } from '../../../ui/NameInput.js';
import { notifyDone } from '../../../lib/notify.js';
import { checkName } from '../../../lib/text-rules.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import type { ListedApiKey } from '../api-keys.js';

interface RenameKeyModalProps {
  apiKey: ListedApiKey;
  isOpen: boolean;
  onClose: () => void;
}

/** Renames a key. */
export function RenameKeyModal({ isOpen, ...content }: RenameKeyModalProps) {
  return (
    <FormModal isOpen={isOpen} onClose={content.onClose} title="Rename key">
      <RenameKeyForm {...content} />
    </FormModal>
  );
}

function RenameKeyForm({ apiKey: { id, name: currentName }, onClose }: Omit<RenameKeyModalProps, 'isOpen'>) {
  const form = useForm({ initialValues: { name: currentName }, validate: { name: checkName } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: ({ name }) => unwrap(api.PATCH('/api-keys/{id}', { params: { path: { id } }, body: { name: name.trim() } })),
    onDone: async ({ name }) => {
      await refresh('api-keys');
      onClose();
      notifyDone(`Key renamed to ${name}.`);
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput description="The key itself doesn't change." {...form.getInputProps('name')} />
        <FormActions submitLabel="Rename" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
