import { TextInput, type TextInputProps } from '@mantine/core';
import { checkUnfinishedKeyName } from './key-name.js';

interface KeyNameInputProps extends Omit<TextInputProps, 'value'> {
  value: string;
}

/** The field for a key's name, which says at once what the service would refuse. */
export function KeyNameInput({ value, error, ...props }: KeyNameInputProps) {
  return (
    <TextInput
      label="Name"
      placeholder="Search indexer"
      autoComplete="off"
      data-autofocus
      value={value}
      error={error ?? checkUnfinishedKeyName(value)}
      {...props}
    />
  );
}
