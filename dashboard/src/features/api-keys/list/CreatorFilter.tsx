import { Group, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { findCreatorsQuery, useCreatorName } from '../../../common/people/creators.js';
import { usePermission } from '../../../session/me.js';
import { clearButtonProps } from '../../../ui/clear-button-props.js';
import { PersonAvatar } from '../../../ui/PersonAvatar.js';
import { SearchableSelect } from '../../../ui/SearchableSelect.js';

interface CreatorFilterProps {
  className?: string | undefined;
  /** Whether the user has just asked for it. */
  startsOpen: boolean;
  creatorId: string | undefined;
  onChange: (creatorId: string | undefined) => void;
}

const debounceMilliseconds = 200;

/** Chooses whose keys to show: those of a member, a former member or a service account, found by name or email. */
export function CreatorFilter({ className, startsOpen, creatorId, onChange }: CreatorFilterProps) {
  const [isOpen, setIsOpen] = useState(startsOpen);
  const [typed, setTyped] = useState('');
  const name = useCreatorName(creatorId);
  const [search] = useDebouncedValue(typed === name ? '' : typed.trim(), debounceMilliseconds);
  const mayGetMembers = usePermission('get-members');
  const mayGetAccounts = usePermission('get-service-accounts');
  const { data } = useQuery({ ...findCreatorsQuery(search, { mayGetMembers, mayGetAccounts }), enabled: isOpen });
  const groups = data ?? [];
  const people = groups.flatMap((group) => group.people);
  const options = groups.map(({ label, people: found }) => ({
    group: label,
    items: found.map((person) => ({ value: person.id, label: person.name })),
  }));
  const isListed = creatorId === undefined || people.some(({ id }) => id === creatorId);
  const selected = { value: creatorId ?? '', label: name ?? 'One creator' };
  return (
    <SearchableSelect
      className={className}
      aria-label="Creator"
      autoFocus={startsOpen}
      defaultDropdownOpened={startsOpen}
      placeholder="All creators"
      comboboxProps={{ width: 280 }}
      inputMode="search"
      maxLength={maxEmailLength}
      // The selected one may not match what was typed.
      data={isListed ? options : [...options, { group: 'Selected', items: [selected] }]}
      filter={({ options: found }) => found}
      renderOption={({ option }) => {
        const person = people.find(({ id }) => id === option.value);
        return (
          <Group gap="xs" wrap="nowrap">
            <PersonAvatar id={option.value} name={option.label} isProgram={person?.isServiceAccount ?? false} />
            <div>
              <Text size="sm">{option.label}</Text>
              {person?.email !== undefined && (
                <Text size="xs" c="dimmed">
                  {person.email}
                </Text>
              )}
            </div>
          </Group>
        );
      }}
      value={creatorId ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      onSearchChange={setTyped}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      clearable
      clearButtonProps={clearButtonProps('creator')}
    />
  );
}
