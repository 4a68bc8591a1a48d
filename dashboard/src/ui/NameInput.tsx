import { TextInput, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { nameLength } from '@rules/text-rules.js';
import { checkUnfinishedName, fieldLength } from '../lib/text-rules.js';

interface NameInputProps extends Omit<TextInputProps, 'value'> {
  value?: string;
  /** Shown below the field. */
  hint?: ReactNode;
}

/** A name field that validates while the user types. */
export function NameInput({ value = '', error, hint, ...props }: NameInputProps) {
  return (
    <TextInput
      label="Name"
      autoComplete="off"
      data-autofocus
      maxLength={fieldLength(nameLength.max)}
      value={value}
      error={error ?? checkUnfinishedName(value)}
      inputContainer={(input) => (
        <>
          {input}
          {hint}
        </>
      )}
      {...props}
    />
  );
}
