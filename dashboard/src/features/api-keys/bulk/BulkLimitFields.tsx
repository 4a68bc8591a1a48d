import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { LimitRow, LimitValues } from '../../../common/limits/limit-rows.js';
import { LimitFields } from '../../../common/limits/LimitFields.js';
import { useRecordedUse } from '../../../common/limits/use-recorded-use.js';
import { usedUnits } from '../../../common/limits/used-units.js';
import { warnOfKeys } from '../../../common/limits/warn-of-limit.js';
import { useNow } from '../../../hooks/use-now.js';
import type { BulkFormProps } from './BulkEditModal.js';
import { type LimitChange, warnOfLimitChange } from './warn-of-limit-change.js';
import { warnOfLostOptions } from './warn-of-lost-options.js';

interface BulkLimitFieldsProps<Values extends LimitValues> extends Pick<BulkFormProps, 'keys'> {
  form: UseFormReturnType<Values>;
  change: LimitChange;
  /** Whether the fields take the focus when the dialog opens. */
  hasInitialFocus: boolean;
}

/** Limits for several keys, with warnings of what the keys lose and have already used up. */
export function BulkLimitFields<Values extends LimitValues>(props: BulkLimitFieldsProps<Values>) {
  const { form, keys, change, hasInitialFocus } = props;
  const now = useNow();
  const rows: LimitRow[] = form.values.limits;
  const recordedOf = useRecordedUse(
    rows,
    keys.map(({ id }) => id),
  );
  const warnOfUsed = (row: LimitRow) => {
    const recorded = recordedOf(row);
    return recorded && warnOfKeys(row, keys, ({ id }) => usedUnits(row.metric, recorded.get(id)), now);
  };
  const warnings = [warnOfLimitChange(change, keys, rows), ...warnOfLostOptions(keys, rows, now)].filter(
    (warning) => warning !== undefined,
  );
  return (
    <>
      <LimitFields
        form={form}
        description="How much each key may use."
        warn={warnOfUsed}
        hasInitialFocus={hasInitialFocus}
      />
      {warnings.length > 0 && (
        <Text size="sm" c="var(--mantine-color-error)" role="status">
          {warnings.join(' ')}
        </Text>
      )}
    </>
  );
}
