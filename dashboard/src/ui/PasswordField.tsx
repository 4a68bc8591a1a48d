import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/** A password input that screen readers announce as invalid, unlike Mantine's. */
export function PasswordField({ error, ...props }: PasswordInputProps) {
  const isInvalid = error !== undefined && error !== null && error !== false;
  return <PasswordInput error={error} aria-invalid={isInvalid} {...props} />;
}
