import { CloseButton, TextInput } from '@mantine/core';
import { maxCheckedPasswordLength } from '@rules/text-rules.js';
import { type KeyboardEvent, useRef, useState } from 'react';
import { hintAtStart, hintOfSecret } from '../../../lib/pasted-secret.js';
import { clearButtonProps } from '../../../ui/clear-button-props.js';
import type { AuditLogSearch } from '../search.js';

interface KeyFieldProps extends Pick<AuditLogSearch, 'targetHint'> {
  onChange: (change: Pick<AuditLogSearch, 'targetHint'>) => void;
}

const instruction = 'Enter kc_ and the next 5 characters.';

/**
 * Filters by the first characters of an API key or client secret, and drops the rest of a pasted one. Fewer characters
 * don't filter.
 */
export function KeyField({ targetHint = '', onChange }: KeyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isRejected, setIsRejected] = useState(false);
  const { text, setText } = useTypedText(targetHint);
  const isIncomplete = text !== '' && hintAtStart(text) === undefined;
  const change = (next: string) => {
    const hint = hintOfSecret(next) ?? hintAtStart(next);
    setText(hint ?? next);
    setIsRejected(false);
    if ((hint ?? '') !== targetHint) onChange({ targetHint: hint });
  };
  const clear = () => {
    change('');
    // The button disappears.
    field.current?.focus();
  };
  const reject = () => setIsRejected(isIncomplete);
  return (
    <TextInput
      ref={field}
      label="Key"
      placeholder="kc_…"
      autoComplete="off"
      spellCheck={false}
      maxLength={maxCheckedPasswordLength}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      description={isIncomplete && !isRejected && instruction}
      error={isRejected && instruction}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      onBlur={reject}
      onKeyDown={({ key }: KeyboardEvent) => key === 'Enter' && reject()}
      rightSection={text !== '' && <CloseButton {...clearButtonProps('key')} onClick={clear} />}
    />
  );
}

/** The text of the field, which the URL has only once it's complete. It follows other changes of the URL. */
function useTypedText(targetHint: string) {
  const [typed, setTyped] = useState<string>();
  const [previous, setPrevious] = useState(targetHint);
  if (targetHint !== previous) {
    setPrevious(targetHint);
    if (targetHint !== '') setTyped(undefined);
  }
  return { text: typed ?? targetHint, setText: setTyped };
}
