import { Autocomplete, Text } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { useUrlText } from '../../../hooks/use-url-text.js';
import { checkEmail } from '../../../lib/text-rules.js';
import { type Person, usePeople } from './use-people.js';

interface ActorFieldProps {
  /** Email in the URL. */
  value: string | undefined;
  /** Emails to suggest in addition to members. */
  suggestions: string[];
  onChange: (email: string | undefined) => void;
}

/** Filters by actor: a member found by name or email, or any complete email, such as that of a former member. */
export function ActorField({ value = '', suggestions, onChange }: ActorFieldProps) {
  const { text, setText, expectUrlText } = useUrlText(value);
  const [isOpen, setIsOpen] = useState(false);
  const [isRejected, setIsRejected] = useState(false);
  const people = usePeople({ text, emails: suggestions, searchesMembers: isOpen });
  const typed = text.trim();
  const isComplete = typed === '' || checkEmail(typed) === undefined;
  const apply = (email: string) => {
    setText(email);
    if (email === value) return;
    expectUrlText(email);
    onChange(email === '' ? undefined : email);
  };
  const applyOnEnter = (event: KeyboardEvent) => {
    // If Enter selected an option, Mantine has already prevented the default.
    if (event.key !== 'Enter' || event.defaultPrevented) return;
    const email = isComplete ? typed : people[0]?.email;
    if (email === undefined) return setIsRejected(true);
    apply(email);
    setIsOpen(false);
  };
  return (
    <Autocomplete
      label="Actor"
      placeholder="Anyone"
      autoComplete="off"
      maxLength={maxEmailLength}
      data={people.map(({ email }) => email)}
      filter={({ options }) => options}
      renderOption={({ option }) => <PersonOption {...people.find(({ email }) => email === option.value)} />}
      error={isRejected && people.length === 0 && 'No match. Enter a full email.'}
      value={text}
      onChange={(next) => {
        setText(next);
        setIsRejected(false);
      }}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onOptionSubmit={apply}
      onClear={() => apply('')}
      onBlur={() => apply(isComplete ? typed : value)}
      wrapperProps={{ onKeyDown: applyOnEnter }}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear actor' }}
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
