import type { SelectProps } from '@mantine/core';
import { useRef } from 'react';
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

/** The smallest target for touch (WCAG 2.2, 2.5.8). */
const minTarget = '24px';

/** The props of a button that clears a filter. Mantine leaves it out of the tab order, where it has no substitute. */
export function clearButtonProps(noun: string) {
  return { 'aria-label': `Clear ${noun}`, 'aria-hidden': false, tabIndex: 0, size: minTarget };
}
