import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFormSubmission } from '../hooks/use-form-submission.js';
import { checkName } from '../lib/text-rules.js';
import { FormActions } from './FormActions.js';
import { FormModal } from './FormModal.js';
import { NameInput } from './NameInput.js';

interface RenameModalProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** What stays the same. */
  description: string;
  currentName: string;
  /** Sends the new name, trimmed. */
  rename: (name: string) => Promise<unknown>;
}

/** Asks for a new name, and closes once it is saved. */
export function RenameModal({ isOpen, title, ...content }: RenameModalProps) {
  return (
    <FormModal isOpen={isOpen} onClose={content.onClose} title={title}>
      <RenameForm {...content} />
    </FormModal>
  );
}

function RenameForm({ onClose, description, currentName, rename }: Omit<RenameModalProps, 'isOpen' | 'title'>) {
  const form = useForm({ initialValues: { name: currentName }, validate: { name: checkName } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: ({ name }) => rename(name.trim()),
    onDone: onClose,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput description={description} {...form.getInputProps('name')} />
        <FormActions submitLabel="Rename" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
