import { Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { notifyDone } from '../../../lib/notify.js';
import { FormActions } from '../../../ui/FormActions.js';
import { checkTags } from '../restrictions/restrictions.js';
import { TagsField } from '../restrictions/TagsField.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { describeOutcome, updateKeys } from './bulk-request.js';
import { KeyNames } from './KeyNames.js';

/** Adds tags to keys, and removes tags that some of them have. */
export function BulkTagsForm({ keys, onSaved }: BulkFormProps) {
  const form = useForm<{ addTags: string[]; removeTags: string[] }>({
    initialValues: { addTags: [], removeTags: [] },
    validateInputOnChange: true,
    validate: { addTags: checkTags, removeTags: checkTags },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => updateKeys(keys, values),
    onDone: (count) => {
      onSaved();
      notifyDone(describeOutcome(count, keys.length, 'updated'));
    },
  });
  const present = [...new Set(keys.flatMap(({ tags }) => tags ?? []))].sort();
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KeyNames keys={keys} describe={({ tags = [] }) => tags.join(', ')} />
        <Text size="sm">Other tags of the keys stay.</Text>
        <TagsField label="Add tags" data-autofocus {...form.getInputProps('addTags')} />
        {present.length > 0 && (
          <TagsField
            label="Remove tags"
            description="From the keys that have them."
            data={present}
            {...form.getInputProps('removeTags')}
          />
        )}
        <FormActions submitLabel="Save" isPending={isPending} error={formError} />
      </Stack>
    </form>
  );
}
