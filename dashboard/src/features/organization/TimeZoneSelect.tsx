import type { SelectProps } from '@mantine/core';
import { useState } from 'react';
import { SearchableSelect } from '../../ui/SearchableSelect.js';
import { isFoundBy, timeZoneOptions } from './time-zones.js';

const maxNameLength = 60;

interface TimeZoneSelectProps extends Pick<SelectProps, 'value' | 'onChange' | 'error'> {
  isReadOnly: boolean;
}

/** Selects the time zone of the organization, found by typing part of its name. */
export function TimeZoneSelect({ isReadOnly, value, ...props }: TimeZoneSelectProps) {
  const [openedAt] = useState(() => Date.now());
  const options = timeZoneOptions(value ?? 'UTC', openedAt);
  return (
    <SearchableSelect
      label="Time zone"
      description="Days, weeks and months of limits start at midnight in this time zone. After a change, budgets keep what they have counted until they reset."
      data={options}
      filter={({ search }) => options.filter((option) => isFoundBy(option, search))}
      // There are too many to scroll through, so phones show their keyboard.
      inputMode="search"
      maxLength={maxNameLength}
      readOnly={isReadOnly}
      value={value}
      {...props}
    />
  );
}
