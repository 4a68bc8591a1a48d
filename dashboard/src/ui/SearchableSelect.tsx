import { Select, type SelectProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type KeyboardEvent, useRef } from 'react';

/** A select whose options are also found by typing. Without `inputMode`, no keyboard covers it on phones. */
export function SearchableSelect({ ref, ...props }: SelectProps) {
  const field = useRef<HTMLInputElement>(null);
  const openOnEnter = (event: KeyboardEvent<HTMLInputElement>) => {
    const { currentTarget } = event;
    if (event.key !== 'Enter' || currentTarget.ariaExpanded === 'true') return;
    // Otherwise Enter would submit the form.
    event.preventDefault();
    currentTarget.click();
  };
  return (
    <Select
      ref={useMergedRef(field, ref)}
      searchable
      selectFirstOptionOnChange
      openOnFocus={false}
      allowDeselect={false}
      nothingFoundMessage="No match"
      inputMode="none"
      // Typing replaces the name of the selected option.
      onDropdownOpen={() => field.current?.select()}
      onKeyDown={openOnEnter}
      {...props}
    />
  );
}
