import { Autocomplete, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { checkEmail } from '../../../lib/text-rules.js';
import { useUrlText } from '../../../hooks/use-url-text.js';
import { type Person, usePeople } from './use-people.js';

interface ActorFieldProps {
  /** What the address says. */
  value: string | undefined;
  /** Addresses of people who could be meant, whether they are members or not. */
  suggestions: string[];
  onChange: (email: string | undefined) => void;
}

/** Actor of the events: a member found by name or email, or any full email, such as that of a former member. */
export function ActorField({ value = '', suggestions, onChange }: ActorFieldProps) {
  const { text, setText, expectUrlText } = useUrlText(value);
  const [isOpen, setIsOpen] = useState(false);
  const [isRefused, setIsRefused] = useState(false);
  const people = usePeople({ text, others: suggestions, isAsking: isOpen });
  const typed = text.trim();
  const isComplete = typed === '' || checkEmail(typed) === undefined;
  const apply = (email: string) => {
    setText(email);
    if (email === value) return;
    expectUrlText(email);
    onChange(email === '' ? undefined : email);
  };
  const choose = (event: KeyboardEvent) => {
    // Prevented is what has chosen an option already.
    if (event.key !== 'Enter' || event.defaultPrevented) return;
    const email = isComplete ? typed : people[0]?.email;
    if (email === undefined) return setIsRefused(true);
    apply(email);
    setIsOpen(false);
  };
  return (
    <Autocomplete
      label="Who"
      placeholder="Anybody"
      autoComplete="off"
      maxLength={254}
      data={people.map(({ email }) => email)}
      filter={({ options }) => options}
      renderOption={({ option }) => <PersonOption {...people.find(({ email }) => email === option.value)} />}
      error={isRefused && people.length === 0 && 'No one found. Enter a full email.'}
      value={text}
      onChange={(next) => {
        setText(next);
        setIsRefused(false);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onOptionSubmit={apply}
      onClear={() => apply('')}
      onBlur={() => apply(isComplete ? typed : value)}
      wrapperProps={{ onKeyDown: choose }}
      clearable
      clearButtonProps={{ 'aria-label': 'Anybody' }}
    />
  );
}

function PersonOption({ name, email }: Partial<Person>) {
  return (
    <div>
      {name !== undefined && <Text size="sm">{name}</Text>}
      <Text size={name === undefined ? 'sm' : 'xs'} c={name === undefined ? undefined : 'dimmed'}>
        {email}
      </Text>
    </div>
  );
}
