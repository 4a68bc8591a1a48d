import { Autocomplete } from '@mantine/core';
import { useAddressText } from '../../components/use-address-text.js';

interface ActorFieldProps {
  /** What the address says. */
  value: string | undefined;
  /** Who could be meant. */
  suggestions: string[];
  onChange: (email: string | undefined) => void;
}

/** Whose events: an e-mail address, which is looked for once it is whole. */
export function ActorField({ value = '', suggestions, onChange }: ActorFieldProps) {
  const { text, setText, expectAddress } = useAddressText(value);
  const apply = (next: string) => {
    const email = next.trim();
    if (email === value) return;
    expectAddress(email);
    onChange(email === '' ? undefined : email);
  };
  return (
    <Autocomplete
      label="Who"
      placeholder="Anybody"
      type="email"
      autoComplete="off"
      maxLength={254}
      data={suggestions}
      value={text}
      onChange={setText}
      onOptionSubmit={apply}
      onClear={() => apply('')}
      onBlur={() => apply(text)}
      onKeyDown={({ key }) => key === 'Enter' && apply(text)}
      clearable
    />
  );
}
