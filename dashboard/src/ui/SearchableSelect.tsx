import { Select, type SelectProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';

/** A select whose options are also found by typing. Without `inputMode`, no keyboard covers it on phones. */
export function SearchableSelect(props: SelectProps) {
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const { currentTarget } = event;
    if (currentTarget.ariaExpanded === 'true') return;
    // What is typed replaces the name of the selected option.
    currentTarget.select();
    if (event.key !== 'Enter') return;
    // Otherwise Enter would submit the form.
    event.preventDefault();
    currentTarget.click();
  };
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      openOnFocus={false}
      allowDeselect={false}
      nothingFoundMessage="No match"
      inputMode="none"
      onClick={({ currentTarget }) => currentTarget.select()}
      onKeyDown={handleKey}
      {...props}
    />
  );
}
