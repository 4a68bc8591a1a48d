import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { maxNotices } from '@rules/limit-rules.js';
import { signInMethodsQuery } from '../../session/sign-in-methods.js';

interface AlertsInputProps {
  /** Percentages. */
  value: string[];
  error: ReactNode;
  onChange: (percents: string[]) => void;
}

const suggestions = ['50', '80', '90', '100'];

/** The percentages of a budget at which an event is written to the audit log, and mail is sent. */
export function AlertsInput({ value, error, onChange }: AlertsInputProps) {
  const { data: methods } = useQuery(signInMethodsQuery);
  const mail = methods?.mail === true ? ' and emails members who can change the limit' : '';
  return (
    <TagsInput
      label="Alerts"
      description={`Percentages of the limit. Reaching one adds an event to the audit log${mail}, once per period.`}
      placeholder={value.length === 0 ? '80, 100' : ''}
      inputMode="numeric"
      data={suggestions}
      splitChars={[',', ';', ' ', '%']}
      maxTags={maxNotices}
      maxLength={4}
      acceptValueOnBlur
      wrapperProps={{
        // Enter adds a percentage, and must not submit the form.
        onKeyDown: (event: { key: string; preventDefault: () => void }) => {
          if (event.key === 'Enter') event.preventDefault();
        },
      }}
      value={value}
      error={error}
      onChange={(percents) =>
        onChange([...new Set(percents.map((percent) => percent.replace('%', '').trim()))].filter((text) => text !== ''))
      }
    />
  );
}
