import { MultiSelect, type MultiSelectProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { clearButtonProps } from '../../../ui/clear-button-props.js';

/** The service's limit. */
const maxValues = 100;

interface ManySelectProps extends Omit<MultiSelectProps, 'value' | 'onChange'> {
  /** Accessible name. */
  'aria-label': string;
  /** Shown while nothing is selected. */
  placeholder: string;
  value: string[] | undefined;
  onChange: (value: string[] | undefined) => void;
  /** What Enter adds if no option is highlighted, such as after the service has found it. */
  found?: string | undefined;
}

/** A filter with several values, found by typing. Without values, it doesn't filter. */
export function ManySelect({ value = [], onChange, placeholder, found, ...props }: ManySelectProps) {
  const addOnEnter = (event: KeyboardEvent) => {
    // If Enter chose an option, Mantine has already prevented the default.
    if (event.key !== 'Enter' || event.defaultPrevented || found === undefined || value.includes(found)) return;
    onChange([...value, found]);
    props.onSearchChange?.('');
  };
  return (
    <MultiSelect
      size="xs"
      flex={{ base: '1 1 42%', xs: 'none' }}
      miw={{ xs: 150 }}
      maw={{ xs: 420 }}
      searchable
      selectFirstOptionOnChange
      openOnFocus={false}
      maxValues={maxValues}
      nothingFoundMessage="No match"
      comboboxProps={{ width: 300 }}
      placeholder={value.length === 0 ? placeholder : undefined}
      autoComplete="off"
      spellCheck={false}
      wrapperProps={{ onKeyDown: addOnEnter }}
      value={value}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen)}
      clearable
      clearButtonProps={clearButtonProps(props['aria-label'].toLowerCase())}
      {...props}
    />
  );
}
