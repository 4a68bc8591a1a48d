import { Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import { useFormSubmission } from '../hooks/use-form-submission.js';
import { checkName } from '../lib/text-rules.js';
import { FormActions } from './FormActions.js';
import { FormModal } from './FormModal.js';
import { NameInput } from './NameInput.js';

interface RenameModalProps {
  isOpen: boolean;
  onClose: () => void;
  title: string;
  /** Text of the button; by default, "Rename". */
  submitLabel?: string;
  /** What stays the same. */
  description: string;
  currentName: string;
  /** Renders a hint about the name in the field, as typed. */
  nameHint?: (name: string) => ReactNode;
  /** Saves the name, trimmed. */
  rename: (name: string) => Promise<unknown>;
}

/** Asks for a name, and closes once it is saved. */
export function RenameModal({ isOpen, title, ...content }: RenameModalProps) {
  return (
    <FormModal isOpen={isOpen} onClose={content.onClose} title={title}>
      <RenameForm {...content} />
    </FormModal>
  );
}

type RenameFormProps = Omit<RenameModalProps, 'isOpen' | 'title'>;

function RenameForm({ onClose, submitLabel = 'Rename', description, currentName, nameHint, rename }: RenameFormProps) {
  const form = useForm({ initialValues: { name: currentName }, validate: { name: checkName } });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: ({ name }) => rename(name.trim()),
    onDone: onClose,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameInput description={description} hint={nameHint?.(form.values.name)} {...form.getInputProps('name')} />
        <FormActions submitLabel={submitLabel} isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
