import { Autocomplete } from '@mantine/core';
import { useState } from 'react';

interface ActorFieldProps {
  /** What the address says. */
  value: string | undefined;
  /** Who could be meant. */
  suggestions: string[];
  onChange: (email: string | undefined) => void;
}

/** Whose events: an e-mail address, which is looked for once it is whole. */
export function ActorField({ value = '', suggestions, onChange }: ActorFieldProps) {
  const [text, setText] = useState(value);
  const [applied, setApplied] = useState(value);
  // The address has moved without us, as with the back button: the field follows.
  if (value !== applied) {
    setApplied(value);
    setText(value);
  }
  const apply = (next: string) => {
    const email = next.trim();
    if (email === value) return;
    setApplied(email);
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
