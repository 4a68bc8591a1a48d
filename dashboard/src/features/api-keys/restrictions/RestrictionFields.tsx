import { TagsInput, type TagsInputProps, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { KeyboardEvent } from 'react';
import { maxAddressRangeLength, maxModelIdLength, maxNoteLength } from '@rules/text-rules.js';
import { fieldLength } from '../../../lib/text-rules.js';
import { defaultService, restrictableNames, servedModelsQuery } from '../../../common/models/models.js';
import type { LimitRow } from '../../../common/limits/limit-rows.js';
import { LimitFields } from '../../../common/limits/LimitFields.js';
import { TagsField } from './TagsField.js';
import { type RestrictionValues, splitAddresses } from './restrictions.js';

const maxItems = 100;

interface RestrictionFieldsProps<Values extends RestrictionValues> {
  form: UseFormReturnType<Values>;
  /** Warns of a limit that an existing key has already used up. */
  warnOfLimit?: (row: LimitRow) => string | undefined;
  /** Whether an existing key may use no model at all, which only the API can set. */
  allowsNoModel?: boolean;
  /** Whether the form shows the tags elsewhere. */
  hidesTags?: boolean;
}

/** Fields for the limits, the restrictions, the tags and the note of a key. */
export function RestrictionFields<Values extends RestrictionValues>(props: RestrictionFieldsProps<Values>) {
  const { form, warnOfLimit, allowsNoModel = false, hidesTags = false } = props;
  const { data } = useQuery(servedModelsQuery);
  const removalHint = useRemovalHint();
  const emptyModels = allowsNoModel ? 'This key may use none yet.' : 'Empty means all.';
  return (
    <>
      <LimitFields
        form={form}
        description="How much this key may use."
        warn={warnOfLimit}
        hasInitialFocus={warnOfLimit !== undefined}
      />
      <TagsInput
        label="Models"
        description={`Models and services this key may use. ${emptyModels} You can also enter IDs that aren't served yet. ${removalHint}`}
        placeholder={form.values.models.length === 0 ? 'Choose or enter a model or service' : ''}
        data={data && restrictableNames(data)}
        maxTags={maxItems}
        maxLength={maxModelIdLength}
        renderOption={({ option: { value } }) => <ModelOption name={value} />}
        acceptValueOnBlur
        wrapperProps={{ onKeyDown: ignoreEnter }}
        {...form.getInputProps('models')}
      />
      <AddressesInput {...form.getInputProps('addresses')} />
      {!hidesTags && <TagsField {...form.getInputProps('tags')} />}
      <TextInput
        label="Note"
        description="Everyone who can see keys can read it."
        maxLength={fieldLength(maxNoteLength)}
        autoComplete="off"
        {...form.getInputProps('note')}
      />
    </>
  );
}

/** How to remove an item without a mouse: the button of an item isn't in the tab order. Empty on phones. */
export function useRemovalHint(): string {
  return useMediaQuery('(pointer: coarse)') ? '' : 'Backspace removes the last one.';
}

function AddressesInput({ value = [], onChange, ...props }: TagsInputProps) {
  const removalHint = useRemovalHint();
  return (
    <TagsInput
      label="IP addresses"
      description={`Addresses and ranges that may use this key. Empty means all. ${removalHint}`}
      value={value}
      placeholder={value.length === 0 ? '203.0.113.7 or 2001:db8::/32' : ''}
      splitChars={[',', ' ', ';']}
      maxTags={maxItems}
      maxLength={maxAddressRangeLength}
      acceptValueOnBlur
      wrapperProps={{ onKeyDown: ignoreEnter }}
      onChange={(addresses) => onChange?.(splitAddresses(addresses))}
      {...props}
    />
  );
}

/** Enter adds an item. It must not submit the form, even after the last item is added. */
export function ignoreEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

function ModelOption({ name }: { name: string }) {
  return (
    <div>
      <Text size="sm">{name}</Text>
      {name === defaultService && (
        <Text size="xs" c="dimmed">
          Your own services behind a reverse proxy, which asks /v1/authorize
        </Text>
      )}
    </div>
  );
}
