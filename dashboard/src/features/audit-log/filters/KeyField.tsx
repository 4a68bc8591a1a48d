import { Autocomplete, Text } from '@mantine/core';
import { maxCheckedPasswordLength } from '@rules/text-rules.js';
import { type KeyboardEvent, useRef, useState } from 'react';
import type { FoundAuditKey } from '../../../api/schema.js';
import { hintAtStart, hintOfSecret } from '../../../lib/pasted-secret.js';
import { clearButtonProps } from '../../../ui/clear-button-props.js';
import type { AuditLogSearch } from '../search.js';
import { looksLikeSecret, useKeyName, useKeys } from './use-keys.js';

type KeyFilter = Pick<AuditLogSearch, 'targetKind' | 'targetId' | 'targetHint'>;

interface KeyFieldProps extends Pick<AuditLogSearch, 'targetHint'> {
  /** The id of the only key whose events are shown. */
  keyId: string | undefined;
  onChange: (change: KeyFilter) => void;
}

const instruction = 'Enter kc_ and the next 5 characters.';

/**
 * Filters by key: one found by its name, including deleted ones, or by the first characters of an API key or client secret.
 * Drops the rest of a pasted one. Fewer characters don't filter.
 */
export function KeyField({ keyId, targetHint, onChange }: KeyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isRejected, setIsRejected] = useState(false);
  const keyName = useKeyName(keyId) ?? '';
  const { text, setText } = useTypedText(targetHint ?? keyName);
  const { keys, isSearching } = useKeys(text, isOpen || isRejected);
  const isTyped = text !== (targetHint ?? keyName);
  const isIncomplete = looksLikeSecret(text) && hintAtStart(text) === undefined;
  // The kind is part of the filter by id, and goes with it.
  const withoutKey: KeyFilter = {
    targetHint: undefined,
    ...(keyId !== undefined && { targetId: undefined, targetKind: undefined }),
  };
  const change = (next: string) => {
    const hint = hintOfSecret(next) ?? hintAtStart(next);
    setText(hint ?? next);
    setIsRejected(false);
    if (hint === targetHint) return;
    if (hint !== undefined) onChange({ ...withoutKey, targetHint: hint });
    else if (targetHint !== undefined) onChange(withoutKey);
  };
  const choose = ({ id, name }: FoundAuditKey) => {
    setText(name);
    setIsOpen(false);
    if (id !== keyId) onChange({ targetKind: 'api-key', targetId: id, targetHint: undefined });
  };
  const clear = () => {
    setText('');
    setIsRejected(false);
    if (keyId !== undefined || targetHint !== undefined) onChange(withoutKey);
  };
  const applyOnEnter = ({ key, defaultPrevented }: KeyboardEvent) => {
    // If Enter selected an option, Mantine has already prevented the default.
    if (key !== 'Enter' || defaultPrevented || !isTyped) return;
    const [first] = keys;
    if (text.trim() === '') clear();
    else if (first === undefined) setIsRejected(true);
    else choose(first);
  };
  const applyOnBlur = () => {
    if (!isTyped) return;
    if (text.trim() === '') clear();
    else if (keyId !== undefined) setText(keyName);
    else setIsRejected(true);
  };
  const error = isIncomplete ? instruction : 'Choose a key from the list.';
  return (
    <Autocomplete
      ref={field}
      label="Key"
      placeholder="Name or kc_…"
      autoComplete="off"
      spellCheck={false}
      maxLength={maxCheckedPasswordLength}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={keys.map(({ id, name }) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      renderOption={({ option }) => <KeyOption found={keys.find(({ id }) => id === option.value)} />}
      description={isIncomplete && !isRejected && instruction}
      error={
        isRejected &&
        isTyped &&
        (keys.length > 0 || isIncomplete ? error : !isSearching && 'No key in the audit log has this name.')
      }
      value={text}
      onChange={change}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onOptionSubmit={(id) => {
        const found = keys.find((key) => key.id === id);
        if (found !== undefined) choose(found);
      }}
      onBlur={applyOnBlur}
      wrapperProps={{ onKeyDown: applyOnEnter }}
      clearable
      onClear={() => {
        // `onChange` has emptied the field and dropped the filter by first characters.
        if (keyId !== undefined) onChange(withoutKey);
        // The button disappears.
        field.current?.focus();
      }}
      clearButtonProps={clearButtonProps('key')}
    />
  );
}

function KeyOption({ found }: { found: FoundAuditKey | undefined }) {
  if (found === undefined) return null;
  const { name, formerName, hint, isDeleted } = found;
  const details = [hint && `${hint}…`, formerName && `formerly ${formerName}`, isDeleted && 'Deleted'].filter(Boolean);
  return (
    <div>
      <Text size="sm">{name}</Text>
      <Text size="xs" c="dimmed">
        {details.join(' · ')}
      </Text>
    </div>
  );
}

/** The text of the field, which the URL has only once it's complete. It follows other changes of the URL. */
function useTypedText(urlText: string) {
  const [typed, setTyped] = useState<string>();
  const [previous, setPrevious] = useState(urlText);
  if (urlText !== previous) {
    setPrevious(urlText);
    if (urlText !== '') setTyped(undefined);
  }
  return { text: typed ?? urlText, setText: setTyped };
}
