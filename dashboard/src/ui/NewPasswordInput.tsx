import type { PasswordInputProps } from '@mantine/core';
import { passwordLength } from '@rules/text-rules.js';
import { explainPasswordLength, fieldLength } from '../lib/text-rules.js';
import { PasswordField } from './PasswordField.js';

interface NewPasswordInputProps extends Omit<PasswordInputProps, 'value'> {
  value?: string;
}

/** A field for a new password that shows the length requirement while the user types. */
export function NewPasswordInput({ value = '', error, ...props }: NewPasswordInputProps) {
  const hasError = error !== undefined && error !== null && error !== false;
  return (
    <PasswordField
      autoComplete="new-password"
      maxLength={fieldLength(passwordLength.max)}
      description={hasError ? undefined : explainPasswordLength(value)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      error={error}
      value={value}
      {...props}
    />
  );
}
