import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { maxEmailLength } from '@rules/email-address.js';
import { findCreatorsQuery, useCreatorNames } from '../../../common/people/creators.js';
import { usePermission } from '../../../session/me.js';
import type { UsageFilter } from '../search.js';
import { noMatch } from './filter-options.js';
import { ManySelect } from './ManySelect.js';

interface PersonFilterProps {
  creatorId: string[] | undefined;
  onChange: (change: Pick<UsageFilter, 'creatorId'>) => void;
}

const debounceMilliseconds = 200;

/** Filters by the creators of keys: members, former members and service accounts, found by name or email. */
export function PersonFilter({ creatorId = [], onChange }: PersonFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), debounceMilliseconds);
  const mayGetMembers = usePermission('get-members');
  const mayGetAccounts = usePermission('get-service-accounts');
  const { data = [] } = useQuery({ ...findCreatorsQuery(search, { mayGetMembers, mayGetAccounts }), enabled: isOpen });
  const names = useCreatorNames(creatorId);
  const people = data.flatMap((group) => group.people);
  if (!mayGetMembers && !mayGetAccounts && creatorId.length === 0) return null;
  const missing = creatorId.filter((id) => people.every((person) => person.id !== id));
  const options = data.map(({ label, people: found }) => ({
    group: label,
    items: found.map(({ id, name }) => ({ value: id, label: name })),
  }));
  const selected = missing.map((id) => ({ value: id, label: names.get(id) ?? 'One person' }));
  return (
    <ManySelect
      aria-label="People"
      placeholder="All people"
      // Selected people may not match what was typed.
      data={[
        ...(selected.length > 0 && options.length === 0 ? [noMatch] : options),
        ...(selected.length > 0 ? [{ group: 'Selected', items: selected }] : []),
      ]}
      filter={({ options: found }) => found}
      found={typed === '' ? undefined : people[0]?.id}
      maxLength={maxEmailLength}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {people.find(({ id }) => id === option.value)?.email}
          </Text>
        </div>
      )}
      value={creatorId}
      onChange={(ids) => onChange({ creatorId: ids })}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
    />
  );
}
