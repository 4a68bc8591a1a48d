import { Select, type SelectProps } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';

/** A select whose options are also found by typing. Without `inputMode`, no keyboard covers it on phones. */
export function SearchableSelect({ onDropdownClose, onBlur, ...props }: SelectProps) {
  const [isTyping, setIsTyping] = useState(false);
  const handleKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const { currentTarget } = event;
    if (currentTarget.ariaExpanded === 'true') return;
    // What is typed replaces the name of the selected option.
    currentTarget.select();
    setIsTyping(event.key !== 'Enter');
    if (event.key !== 'Enter') return;
    // Otherwise Enter would submit the form.
    event.preventDefault();
    currentTarget.click();
  };
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      // Otherwise Mantine moves from the first match to the selected option, or to none, some time after the list has
      // opened, so that Enter wouldn't choose the highlighted match.
      selectFirstOptionOnDropdownOpen={isTyping}
      openOnFocus={false}
      allowDeselect={false}
      nothingFoundMessage="No match"
      inputMode="none"
      onClick={({ currentTarget }) => currentTarget.select()}
      onKeyDown={handleKey}
      onDropdownClose={() => {
        setIsTyping(false);
        onDropdownClose?.();
      }}
      onBlur={(event) => {
        setIsTyping(false);
        onBlur?.(event);
      }}
      {...props}
    />
  );
}
