import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useAddressText } from '../hooks/use-address-text.js';

const delayMilliseconds = 200;

interface SearchFieldProps {
  label: string;
  /** What the address says. */
  value: string | undefined;
  onSearch: (value: string | undefined) => void;
}

/** A field that searches while it is typed into. */
export function SearchField({ label, value = '', onSearch }: SearchFieldProps) {
  const { text, setText, expectAddress } = useAddressText(value);
  const search = useDebouncedCallback((next: string) => {
    expectAddress(next);
    onSearch(next === '' ? undefined : next);
  }, delayMilliseconds);
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
