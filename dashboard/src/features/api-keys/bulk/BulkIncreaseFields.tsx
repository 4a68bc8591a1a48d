import { Checkbox, NativeSelect, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useNow } from '../../../hooks/use-now.js';
import { IncreaseInputs } from '../../../common/limits/IncreaseInputs.js';
import { describeRemoval, describeSharedIncrease, nameSharedLimit } from './describe-increases.js';
import { type IncreaseValues, withTarget } from './increase-values.js';
import { increasedOf, type SharedLimit } from './shared-limits.js';

interface BulkIncreaseFieldsProps<Values extends { increases: IncreaseValues }> {
  form: UseFormReturnType<Values>;
  limits: readonly SharedLimit<unknown>[];
  /** How many keys are selected. */
  total: number;
  currency: string | undefined;
}

/** Which limit of the keys is increased, by how much and until when, and what that does. */
export function BulkIncreaseFields<Values extends { increases: IncreaseValues }>(
  props: BulkIncreaseFieldsProps<Values>,
) {
  const { form, limits, total, currency } = props;
  const now = useNow();
  const value: IncreaseValues = form.values.increases;
  const limit = limits[value.target];
  if (limit === undefined) return null;
  const change = (increases: IncreaseValues) => {
    form.setValues((values) => ({ ...values, increases }));
    form.clearErrors();
  };
  const isIncreased = increasedOf(limit).length > 0;
  return (
    <>
      <NativeSelect
        label="Limit"
        data={limits.map((shared, index) => ({ value: String(index), label: nameSharedLimit(shared) }))}
        value={value.target}
        onChange={({ currentTarget }) => change(withTarget(value, limits, currentTarget.selectedIndex))}
      />
      {isIncreased && (
        <Checkbox
          label="Remove the current increase instead"
          checked={value.isRemoval}
          onChange={({ currentTarget }) => change({ ...value, isRemoval: currentTarget.checked })}
        />
      )}
      {!value.isRemoval && (
        <IncreaseInputs
          metric={limit.metric}
          currency={currency}
          value={value.increase}
          byError={form.errors['increases.increase.by']}
          untilError={form.errors['increases.increase.until']}
          onChange={(increase) => change({ ...value, increase })}
        />
      )}
      <Text size="sm" role="status">
        {value.isRemoval
          ? describeRemoval(limit, currency)
          : describeSharedIncrease(limit, value.increase, { total, currency, now })}
      </Text>
    </>
  );
}
