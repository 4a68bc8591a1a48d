import { CloseButton, type MantineSize, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { useUrlText } from '../hooks/use-url-text.js';
import { hintOfSecret } from '../lib/pasted-secret.js';

const delayMilliseconds = 200;

interface SearchFieldProps {
  label: string;
  /** The value in the URL. */
  value: string | undefined;
  maxLength: number;
  size?: MantineSize;
  /** In windows that are wider. */
  width?: number;
  onSearch: (value: string | undefined) => void;
}

/** A search field that searches while the user types. */
export function SearchField({ label, value = '', maxLength, size, width = 280, onSearch }: SearchFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const { text, setText, expectUrlText } = useUrlText(value);
  const search = useDebouncedCallback((next: string) => {
    expectUrlText(next);
    onSearch(next === '' ? undefined : (hintOfSecret(next) ?? next));
  }, delayMilliseconds);
  const change = (next: string) => {
    setText(next);
    search(next);
  };
  // The button disappears.
  const clear = () => {
    change('');
    field.current?.focus();
  };
  return (
    <TextInput
      ref={field}
      type="search"
      size={size}
      maxLength={maxLength}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear search" onClick={clear} />}
      w={{ base: '100%', xs: width }}
    />
  );
}
