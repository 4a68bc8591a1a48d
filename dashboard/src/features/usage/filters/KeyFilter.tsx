import { useState } from 'react';
import { nameLength } from '@rules/text-rules.js';
import type { UsageFilter, UsageSearch } from '../search.js';
import { noMatch, type Option, withSelected } from './filter-options.js';
import { ManySelect } from './ManySelect.js';
import { useKeyOptions, useSelectedKeys } from './use-key-options.js';

interface KeyFilterProps {
  search: UsageSearch;
  onChange: (change: Pick<UsageFilter, 'apiKeyId'>) => void;
}

/** Filters by keys: those used in the period, and any that the service finds by name or first characters. */
export function KeyFilter({ search, onChange }: KeyFilterProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<Option[]>([]);
  const selected = useSelectedKeys(search, chosen);
  const { options, isPending } = useKeyOptions(search, typed.trim(), isOpen);
  const hasNone = typed !== '' && !isPending && options.length === 0;
  return (
    <ManySelect
      aria-label="API keys"
      placeholder="All keys"
      data={withSelected(hasNone ? [noMatch] : options, selected)}
      // The service has filtered them.
      filter={({ options: found }) => found}
      nothingFoundMessage={isPending ? 'Searching…' : 'No match'}
      found={typed === '' ? undefined : options[0]?.value}
      maxLength={nameLength.max}
      value={search.apiKeyId}
      onChange={(ids) => {
        setChosen(
          withSelected(
            options.filter(({ value }) => ids?.includes(value) === true),
            chosen,
          ),
        );
        onChange({ apiKeyId: ids });
      }}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
    />
  );
}
