import { NativeSelect, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { minuteTime } from '../../../lib/format-time.js';
import { toLocalField } from '../../../lib/local-field.js';
import { useNow } from '../../../hooks/use-now.js';
import { formatLifetime, getExpiry, type KeyExpiry, lifetimeChoices, notChosen } from './key-lifetime.js';

const minuteMilliseconds = 60_000;

interface KeyExpiryInputProps {
  value: KeyExpiry;
  onChange: (change: Partial<KeyExpiry>) => void;
  error: ReactNode;
  /** The organization's maximum key lifetime; null means no limit. */
  maxDays: number | null;
  /** Whether it gets the focus when its dialog opens. */
  hasInitialFocus?: boolean;
}

/** Selects when a key expires, within the organization's limit. */
export function KeyExpiryInput({ value, onChange, error, maxDays, hasInitialFocus }: KeyExpiryInputProps) {
  const now = useNow();
  // Browsers clear an incomplete date if it changes.
  const [min] = useState(() => toLocalField(now + minuteMilliseconds));
  const isCustom = value.lifetime === 'custom';
  const isChosen = value.lifetime !== notChosen;
  const expiry = isCustom || !isChosen ? undefined : getExpiry(value, { maxDays, now });
  const limit = maxDays !== null && `Keys in this organization must expire within ${formatLifetime(maxDays)}.`;
  return (
    <>
      <NativeSelect
        label="Expires"
        description={[limit, expiry && `Expires on ${minuteTime(expiry.toISOString())}.`].filter(Boolean).join(' ')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={[...(isChosen ? [] : [{ value: notChosen, label: 'Choose…' }]), ...lifetimeChoices(maxDays)]}
        value={value.lifetime}
        onChange={({ currentTarget }) => onChange({ lifetime: currentTarget.value })}
        error={!isCustom && error}
        // It may be loaded after the dialog has opened.
        autoFocus={hasInitialFocus}
        data-autofocus={hasInitialFocus}
      />
      {isCustom && (
        <TextInput
          type="datetime-local"
          max="9999-12-31T23:59"
          label="Date and time"
          description={`In your time zone (${Intl.DateTimeFormat().resolvedOptions().timeZone}).`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          withAsterisk={false}
          min={min}
          value={value.expiresAt}
          onChange={({ currentTarget }) => onChange({ expiresAt: currentTarget.value })}
          error={error}
        />
      )}
    </>
  );
}
