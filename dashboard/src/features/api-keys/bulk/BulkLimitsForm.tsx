import { Stack, Text } from '@mantine/core';
import { formRootRule, useForm } from '@mantine/form';
import { useId, useMemo, useState } from 'react';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { limitRules } from '../../../common/limits/check-limits.js';
import { describeFully } from '../../../common/limits/describe-limit.js';
import { changedLimits, type LimitValues } from '../../../common/limits/limit-rows.js';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { notifyDone } from '../../../lib/notify.js';
import { localTimeZone } from '../../../lib/time-zone.js';
import { FormActions } from '../../../ui/FormActions.js';
import { Segments } from '../../../ui/Segments.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { BulkIncreaseFields } from './BulkIncreaseFields.js';
import { BulkLimitFields } from './BulkLimitFields.js';
import { addLimits, describeOutcome, increaseLimits, updateKeys } from './bulk-request.js';
import { checkIncrease, type IncreaseValues, noIncrease, toIncreaseLimit } from './increase-values.js';
import { KeyNames } from './KeyNames.js';
import { findSharedLimits, keysToChange } from './shared-limits.js';
import type { LimitChange } from './warn-of-limit-change.js';

type Change = LimitChange | 'increase';

interface Values extends LimitValues {
  increases: IncreaseValues;
}

const changes: { value: Change; label: string; effect: string }[] = [
  {
    value: 'add',
    label: 'Add or change',
    effect:
      'Adds the limits below to each key. A limit with the same metric, period and models replaces the current one: enter its alerts and increase again to keep them. Other limits stay.',
  },
  {
    value: 'replace',
    label: 'Replace all',
    effect: 'Replaces all limits of each key with the ones below. Without any, removes them.',
  },
  {
    value: 'increase',
    label: 'Increase for a while',
    effect: `Raises each key's own limit until a time in your time zone (${localTimeZone()}). Maximums, alerts and other limits stay.`,
  },
];

/** Adds limits to keys, replaces all of theirs, or increases one that each has. */
export function BulkLimitsForm({ keys, onSaved }: BulkFormProps) {
  const [chosen, setChosen] = useState<Change>();
  const change = chosen ?? 'add';
  const currency = useCurrency();
  const shared = useMemo(() => findSharedLimits(keys), [keys]);
  const form = useForm<Values>({
    initialValues: { limits: [], increases: noIncrease },
    validate:
      change === 'increase'
        ? ({ increases }) => checkIncrease(increases, shared, Date.now())
        : {
            limits: {
              ...limitRules,
              [formRootRule]: ({ length }: Values['limits']) =>
                change === 'add' && length === 0 ? 'Add at least one limit.' : undefined,
            },
          },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: async (values) => {
      const limit = shared[values.increases.target];
      if (change === 'increase' && limit !== undefined) {
        const changed = keysToChange(limit, values.increases);
        const count = await increaseLimits(changed, toIncreaseLimit(limit, values.increases));
        return describeOutcome(count, changed.length, 'updated');
      }
      const wanted = changedLimits(values.limits, []) ?? [];
      const count = await (change === 'replace' ? updateKeys(keys, { limits: wanted }) : addLimits(keys, wanted));
      return describeOutcome(count, keys.length, 'updated');
    },
    onDone: (outcome) => {
      onSaved();
      notifyDone(outcome);
    },
  });
  const reasonId = useId();
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KeyNames keys={keys} describe={(apiKey) => describeLimits(apiKey, currency)} />
        <div>
          <Segments
            aria-label="How to change the limits"
            aria-describedby={shared.length === 0 ? reasonId : undefined}
            value={change}
            data={changes.map((one) => ({ ...one, isDisabled: one.value === 'increase' && shared.length === 0 }))}
            onChange={(value) => {
              setChosen(value);
              form.clearErrors();
            }}
          />
          {shared.length === 0 && (
            <Text size="xs" c="dimmed" mt={4} id={reasonId}>
              None of these keys has a limit to increase.
            </Text>
          )}
        </div>
        <Text size="sm">{changes.find(({ value }) => value === change)?.effect}</Text>
        {change === 'increase' ? (
          <BulkIncreaseFields form={form} limits={shared} total={keys.length} currency={currency} />
        ) : (
          // The choice keeps the focus.
          <BulkLimitFields form={form} keys={keys} change={change} hasInitialFocus={chosen === undefined} />
        )}
        <FormActions
          submitLabel={labelOf(change, form.values)}
          isDestructive={change === 'replace' && form.values.limits.length === 0}
          isPending={isPending}
          error={formError}
        />
      </Stack>
    </form>
  );
}

function labelOf(change: Change, { limits, increases }: Values): string {
  if (change === 'increase') return increases.isRemoval ? 'Remove increase' : 'Increase limits';
  return change === 'replace' && limits.length === 0 ? 'Remove limits' : 'Save';
}

/** Such as "60 requests per minute · $25.00 per month, alerts at 80%". */
function describeLimits({ limits = [] }: ListedApiKey, currency: string | undefined): string {
  if (limits.length === 0) return 'No limits';
  return limits.map((limit) => describeFully(limit, currency)).join(' · ');
}
