import { Autocomplete, Combobox, type MantineStyleProps } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { nameLength } from '@rules/text-rules.js';
import { useUrlText } from '../../../hooks/use-url-text.js';
import { clearButtonProps } from '../../../ui/clear-button-props.js';
import type { UsageSearch } from '../search.js';
import type { Option } from './filter-options.js';
import { useKeyLabel, useKeyOptions } from './use-key-options.js';

interface KeyFilterProps extends Pick<MantineStyleProps, 'flex'> {
  search: UsageSearch;
  onChange: (change: Pick<UsageSearch, 'apiKeyId'>) => void;
}

const noMatch = { value: 'no-match', label: 'No match', disabled: true };

/** Filters by key: a key used in the period, or any that the service finds by name or first characters. */
export function KeyFilter({ search, onChange, flex }: KeyFilterProps) {
  const { apiKeyId = '' } = search;
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [chosen, setChosen] = useState<Option>();
  const selectedLabel = useKeyLabel(search, chosen);
  const { text, setText, expectUrlText } = useUrlText(selectedLabel);
  const typed = text === selectedLabel ? '' : text.trim();
  const { options, isPending } = useKeyOptions(search, typed);
  const apply = (id: string) => {
    const option = options.find(({ value }) => value === id);
    const label = option?.label ?? '';
    setText(label);
    if (id === apiKeyId) return;
    setChosen(option);
    expectUrlText(label);
    onChange({ apiKeyId: id === '' ? undefined : id });
  };
  const applyOnEnter = (event: KeyboardEvent) => {
    // If Enter selected an option, Mantine has already prevented the default.
    if (event.key !== 'Enter' || event.defaultPrevented || text === selectedLabel) return;
    const id = text === '' ? '' : options[0]?.value;
    if (id === undefined) return;
    apply(id);
    setIsOpen(false);
  };
  return (
    <Autocomplete
      ref={field}
      size="xs"
      flex={flex}
      maw={{ xs: 260 }}
      aria-label="API key"
      placeholder="All keys"
      autoComplete="off"
      spellCheck={false}
      maxLength={nameLength.max}
      data={options.length > 0 || isPending ? options : [noMatch]}
      filter={(input) => input.options}
      value={text}
      onChange={setText}
      onClick={({ currentTarget }) => currentTarget.select()}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setIsOpen(true)}
      onDropdownClose={() => setIsOpen(false)}
      onOptionSubmit={apply}
      onClear={() => {
        apply('');
        field.current?.focus();
      }}
      onBlur={() => (text === '' ? apply('') : setText(selectedLabel))}
      wrapperProps={{ onKeyDown: applyOnEnter }}
      rightSection={text === '' ? <Combobox.Chevron size="xs" /> : undefined}
      rightSectionPointerEvents={text === '' ? 'none' : 'all'}
      clearable
      clearButtonProps={clearButtonProps('API key')}
    />
  );
}
