import { TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { maxAddressRangeLength, maxModelIdLength, maxNoteLength } from '@rules/text-rules.js';
import { fieldLength } from '../../../lib/text-rules.js';
import { LimitFields } from '../../limits/LimitFields.js';
import type { RestrictionValues } from './restrictions.js';

const maxItems = 100;

/** Fields for the limits, the restrictions and the note of a key. */
export function RestrictionFields<Values extends RestrictionValues>({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <>
      <LimitFields form={form} description="How much this key may use." />
      <TagsInput
        label="Models"
        description="Ids of the models and names of the services this key may use. Empty means all."
        placeholder="Enter a model or service, then press Enter"
        maxTags={maxItems}
        maxLength={maxModelIdLength}
        acceptValueOnBlur
        {...form.getInputProps('models')}
      />
      <TagsInput
        label="IP addresses"
        description="Addresses and ranges of its clients. Empty means all."
        placeholder="203.0.113.7 or 2001:db8::/32"
        splitChars={[',', ' ', ';']}
        maxTags={maxItems}
        maxLength={maxAddressRangeLength}
        acceptValueOnBlur
        {...form.getInputProps('addresses')}
      />
      <TextInput
        label="Note"
        description="Only people who manage keys see it."
        maxLength={fieldLength(maxNoteLength)}
        autoComplete="off"
        {...form.getInputProps('note')}
      />
    </>
  );
}
