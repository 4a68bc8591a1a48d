import { CloseButton, TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { maxCheckedPasswordLength } from '@rules/text-rules.js';
import { useUrlText } from '../../../hooks/use-url-text.js';
import { hintAtStart, hintOfSecret } from '../../../lib/pasted-secret.js';
import type { AuditLogSearch } from '../search.js';
import { clearButtonProps } from './FilterSelect.js';

interface KeyFieldProps extends Pick<AuditLogSearch, 'targetHint'> {
  onChange: (change: Pick<AuditLogSearch, 'targetHint'>) => void;
}

/** Filters by the first characters of an API key or client secret, and drops the rest of a pasted one. */
export function KeyField({ targetHint = '', onChange }: KeyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isRejected, setIsRejected] = useState(false);
  const { text, setText, expectUrlText } = useUrlText(targetHint);
  const change = (next: string) => {
    const hint = hintOfSecret(next) ?? hintAtStart(next);
    setText(hint ?? next);
    setIsRejected(false);
    if ((hint === undefined && next !== '') || hint === targetHint) return;
    expectUrlText(hint ?? '');
    onChange({ targetHint: hint });
  };
  const reject = () => setIsRejected(text !== targetHint);
  return (
    <TextInput
      ref={field}
      label="Key"
      placeholder="Starts with kc_…"
      autoComplete="off"
      spellCheck={false}
      maxLength={maxCheckedPasswordLength}
      error={isRejected && 'Enter the first 8 characters, such as kc_4fT9q.'}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={reject}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && reject()}
      rightSection={
        text !== '' && (
          <CloseButton
            {...clearButtonProps('key')}
            onClick={() => {
              change('');
              // The button disappears.
              field.current?.focus();
            }}
          />
        )
      }
    />
  );
}
