import { TextInput, type TextInputProps } from '@mantine/core';
import { checkUnfinishedName } from '../lib/text-rules.js';

interface NameInputProps extends Omit<TextInputProps, 'value'> {
  value?: string;
}

/** The field for the name of a key, a role or an organization, which says at once what the service would refuse. */
export function NameInput({ value = '', error, ...props }: NameInputProps) {
  return (
    <TextInput
      label="Name"
      autoComplete="off"
      data-autofocus
      value={value}
      error={error ?? checkUnfinishedName(value)}
      {...props}
    />
  );
}
