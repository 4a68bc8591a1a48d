import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { maxNotices } from '@rules/limit-rules.js';
import { signInMethodsQuery } from '../../session/sign-in-methods.js';
import { splitPercents } from './split-percents.js';

interface AlertsInputProps {
  /** Percentages. */
  value: string[];
  error: ReactNode;
  onChange: (percents: string[]) => void;
}

const suggestions = ['50', '80', '90', '100'];

/** The percentages of a budget that are reported: in the audit log, to webhooks and by mail. */
export function AlertsInput({ value, error, onChange }: AlertsInputProps) {
  const { data: methods } = useQuery(signInMethodsQuery);
  const event = 'adds an event to the audit log';
  const hook = 'sends limit.threshold_reached to webhooks';
  const effect =
    methods?.mail === true ? `${event}, ${hook} and emails members who can change the budget` : `${event} and ${hook}`;
  return (
    <TagsInput
      label="Alerts"
      description={`Percentages of the budget. Reaching one ${effect}, once per period.`}
      placeholder={value.length === 0 ? 'such as 80, 100' : ''}
      inputMode="numeric"
      data={suggestions}
      splitChars={[',', ';', ' ', '%']}
      maxTags={maxNotices}
      maxLength={maxNotices * '100, '.length}
      acceptValueOnBlur
      // Below the field, suggestions would cover its error and the buttons of the dialog.
      comboboxProps={{ position: 'top-start' }}
      wrapperProps={{
        // Enter adds a percentage, and must not submit the form.
        onKeyDown: (event: { key: string; preventDefault: () => void }) => {
          if (event.key === 'Enter') event.preventDefault();
        },
      }}
      value={value}
      error={error}
      onChange={(percents) => onChange(splitPercents(percents))}
    />
  );
}
