import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';

const delayMilliseconds = 200;

interface SearchFieldProps {
  label: string;
  /** What the address says. */
  value: string | undefined;
  onSearch: (value: string | undefined) => void;
}

/** A field that searches while it is typed into. */
export function SearchField({ label, value = '', onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [searched, setSearched] = useState(value);
  const search = useDebouncedCallback((next: string) => {
    setSearched(next);
    onSearch(next === '' ? undefined : next);
  }, delayMilliseconds);
  // The address has moved without us, as with the back button: the field follows.
  if (value !== searched) {
    setSearched(value);
    setText(value);
  }
  const change = (next: string) => {
    setText(next);
    search(next);
  };
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      rightSection={text !== '' && <CloseButton size="sm" aria-label="Clear" onClick={() => change('')} />}
      w={{ base: '100%', xs: 280 }}
    />
  );
}
