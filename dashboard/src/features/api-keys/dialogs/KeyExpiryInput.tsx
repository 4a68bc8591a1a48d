import { NativeSelect, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactTime } from '../../../lib/format-time.js';
import { useNow } from '../../../hooks/use-now.js';
import { daysInWords, expiryOf, type KeyExpiry, lifetimeChoices, toLocalField } from './key-lifetime.js';

const minuteMilliseconds = 60_000;

interface KeyExpiryInputProps {
  value: KeyExpiry;
  onChange: (change: Partial<KeyExpiry>) => void;
  error: ReactNode;
  /** What the organization allows; null for no limit. */
  longestDays: number | null;
}

/** The choice of when a key expires, as far as the organization leaves one. */
export function KeyExpiryInput({ value, onChange, error, longestDays }: KeyExpiryInputProps) {
  const now = useNow();
  const isCustom = value.lifetime === 'custom';
  const expiry = isCustom ? undefined : expiryOf(value, { longestDays, now });
  const limit = longestDays !== null && `Keys of this organization live at most ${daysInWords(longestDays)}.`;
  return (
    <>
      <NativeSelect
        label="Expires"
        description={[limit, expiry && `Until ${exactTime(expiry.toISOString())}.`].filter(Boolean).join(' ')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={lifetimeChoices(longestDays)}
        value={value.lifetime}
        onChange={({ currentTarget }) => onChange({ lifetime: currentTarget.value })}
        error={!isCustom && error}
      />
      {isCustom && (
        <TextInput
          type="datetime-local"
          label="Date and time"
          description={`In your time zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          withAsterisk={false}
          min={toLocalField(now + minuteMilliseconds)}
          value={value.expiresAt}
          onChange={({ currentTarget }) => onChange({ expiresAt: currentTarget.value })}
          error={error}
        />
      )}
    </>
  );
}
