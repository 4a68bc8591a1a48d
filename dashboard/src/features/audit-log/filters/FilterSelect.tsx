import type { SelectProps } from '@mantine/core';
import { useRef } from 'react';
import { clearButtonProps } from '../../../ui/clear-button-props.js';
import { SearchableSelect } from '../../../ui/SearchableSelect.js';

interface FilterSelectProps extends Omit<SelectProps, 'label' | 'placeholder'> {
  /** What it filters by, such as "action". */
  noun: string;
}

/** A select that filters by one value, or by none once it's cleared. */
export function FilterSelect({ noun, ...props }: FilterSelectProps) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <SearchableSelect
      ref={field}
      label={noun.charAt(0).toUpperCase() + noun.slice(1)}
      placeholder={`Any ${noun}`}
      clearable
      // The button disappears.
      onClear={() => field.current?.focus()}
      clearButtonProps={clearButtonProps(noun)}
      {...props}
    />
  );
}
