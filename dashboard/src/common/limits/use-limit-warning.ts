import type { LimitState } from '../../api/schema.js';
import type { LimitRow } from './limit-rows.js';
import { useCurrency } from './use-currency.js';
import { useRecordedUse } from './use-recorded-use.js';
import { usedUnits } from './used-units.js';
import { warnOfUse } from './warn-of-limit.js';

interface LimitsInForm {
  rows: readonly LimitRow[];
  /** Of the current limits. */
  states: readonly LimitState[];
  /** Undefined for the limits of all keys together. */
  keyId?: string;
}

/** Returns a function that warns of used-up limits. For new budgets, it compares with recorded usage. */
export function useLimitWarning({ rows, states, keyId }: LimitsInForm): (row: LimitRow) => string | undefined {
  const currency = useCurrency();
  const recordedOf = useRecordedUse(rows, keyId === undefined ? undefined : [keyId]);
  return (row) => {
    const recorded = recordedOf(row);
    return warnOfUse(row, states, currency, {
      now: Date.now(),
      recorded: recorded && usedUnits(row.metric, recorded.get(keyId)),
    });
  };
}
