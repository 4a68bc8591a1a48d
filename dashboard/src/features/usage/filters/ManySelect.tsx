import { MultiSelect, type MultiSelectProps } from '@mantine/core';
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
}

/** A filter with several values, found by typing. Without values, it doesn't filter. */
export function ManySelect({ value = [], onChange, placeholder, ...props }: ManySelectProps) {
  return (
    <MultiSelect
      size="xs"
      w={{ base: '100%', xs: 'auto' }}
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
      value={value}
      onChange={(chosen) => onChange(chosen.length === 0 ? undefined : chosen)}
      clearable
      clearButtonProps={clearButtonProps(props['aria-label'].toLowerCase())}
      {...props}
    />
  );
}
