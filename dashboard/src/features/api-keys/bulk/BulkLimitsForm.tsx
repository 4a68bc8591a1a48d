import { Stack, Text } from '@mantine/core';
import { formRootRule, useForm } from '@mantine/form';
import { useState } from 'react';
import type { ListedApiKey } from '../../../common/api-keys/api-keys.js';
import { limitRules } from '../../../common/limits/check-limits.js';
import { describeFully } from '../../../common/limits/describe-limit.js';
import { changedLimits, type LimitRow, type LimitValues } from '../../../common/limits/limit-rows.js';
import { LimitFields } from '../../../common/limits/LimitFields.js';
import { useCurrency } from '../../../common/limits/use-currency.js';
import { useRecordedUse } from '../../../common/limits/use-recorded-use.js';
import { usedUnits } from '../../../common/limits/used-units.js';
import { warnOfKeys } from '../../../common/limits/warn-of-limit.js';
import { useFormSubmission } from '../../../hooks/use-form-submission.js';
import { useNow } from '../../../hooks/use-now.js';
import { notifyDone } from '../../../lib/notify.js';
import { FormActions } from '../../../ui/FormActions.js';
import { Segments } from '../../../ui/Segments.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { addLimits, describeOutcome, updateKeys } from './bulk-request.js';
import { KeyNames } from './KeyNames.js';
import { type LimitChange, warnOfLimitChange } from './warn-of-limit-change.js';
import { warnOfLostOptions } from './warn-of-lost-options.js';

const changes: { value: LimitChange; label: string; effect: string }[] = [
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
];

/** Adds limits to keys, or replaces all of theirs. */
export function BulkLimitsForm({ keys, onSaved }: BulkFormProps) {
  const [change, setChange] = useState<LimitChange>('add');
  const currency = useCurrency();
  const form = useForm<LimitValues>({
    initialValues: { limits: [] },
    validate: {
      limits: {
        ...limitRules,
        [formRootRule]: ({ length }: LimitValues['limits']) =>
          change === 'add' && length === 0 ? 'Add at least one limit.' : undefined,
      },
    },
  });
  const { submit, isPending, formError } = useFormSubmission({
    form,
    send: (values) => {
      const limits = changedLimits(values.limits, []) ?? [];
      return change === 'add' ? addLimits(keys, limits) : updateKeys(keys, { limits });
    },
    onDone: (count) => {
      onSaved();
      notifyDone(describeOutcome(count, keys.length, 'updated'));
    },
  });
  const now = useNow();
  const recordedOf = useRecordedUse(
    form.values.limits,
    keys.map(({ id }) => id),
  );
  const warnOfUsed = (row: LimitRow) => {
    const recorded = recordedOf(row);
    return recorded && warnOfKeys(row, keys, ({ id }) => usedUnits(row.metric, recorded.get(id)), now);
  };
  const isRemoval = change === 'replace' && form.values.limits.length === 0;
  const warnings = [
    warnOfLimitChange(change, keys, form.values.limits),
    ...warnOfLostOptions(keys, form.values.limits, now),
  ].filter((warning) => warning !== undefined);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <KeyNames keys={keys} describe={(apiKey) => describeLimits(apiKey, currency)} />
        <Segments
          aria-label="How to change the limits"
          value={change}
          data={changes}
          onChange={(value) => {
            setChange(value);
            form.clearErrors();
          }}
        />
        <Text size="sm">{changes.find(({ value }) => value === change)?.effect}</Text>
        <LimitFields form={form} description="How much each key may use." warn={warnOfUsed} hasInitialFocus />
        {warnings.length > 0 && (
          <Text size="sm" c="var(--mantine-color-error)" role="status">
            {warnings.join(' ')}
          </Text>
        )}
        <FormActions
          submitLabel={isRemoval ? 'Remove limits' : 'Save'}
          isDestructive={isRemoval}
          isPending={isPending}
          error={formError}
        />
      </Stack>
    </form>
  );
}

/** Such as "60 requests per minute · $25.00 per month, alerts at 80%". */
function describeLimits({ limits = [] }: ListedApiKey, currency: string | undefined): string {
  if (limits.length === 0) return 'No limits';
  return limits.map((limit) => describeFully(limit, currency)).join(' · ');
}
