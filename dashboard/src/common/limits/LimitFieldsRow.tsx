import { ActionIcon, Group, Input, NativeSelect, Text } from '@mantine/core';
import { useId } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Metric, metrics, periodsOf } from '@rules/limit-rules.js';
import { servedModelsQuery } from '../models/models.js';
import { AmountInput } from './AmountInput.js';
import { initialFocus } from './initial-focus.js';
import { LimitOptions } from './LimitOptions.js';
import classes from './Limits.module.css';
import { type LimitRow, withMetric, withPeriod } from './limit-rows.js';
import { useCurrency } from './use-currency.js';
import { warnOfPrices } from './warn-of-limit.js';

interface LimitFieldsRowProps {
  /** Accessible name. */
  name: string;
  row: LimitRow;
  /** The error of a field, named like in the API, such as `increase.by`. */
  errorOf: (field: string) => ReactNode;
  /** That it's already used up. */
  warning: string | undefined;
  /** Whether its field takes the focus when it appears. */
  takesFocus: boolean;
  onChange: (row: LimitRow) => void;
  onRemove: () => void;
}

/** One limit, with what few limits have behind a disclosure. */
export function LimitFieldsRow(props: LimitFieldsRowProps) {
  const { name, row, errorOf, warning, takesFocus, onChange, onRemove } = props;
  const { data } = useQuery(servedModelsQuery);
  const currency = useCurrency();
  const errorId = useId();
  const maxError = errorOf('max');
  const choiceError = errorOf('metric') ?? errorOf('per');
  const error = maxError ?? choiceError;
  const describeError = (own: ReactNode) => ({
    error: own !== undefined,
    'aria-describedby': own === undefined ? undefined : errorId,
  });
  const priceWarning = warnOfPrices(row, data?.models ?? []);
  return (
    <div role="group" aria-label={name} className={classes.row}>
      <Group gap="6px var(--mantine-spacing-xs)">
        <Text size="sm">At most</Text>
        <AmountInput
          aria-label="Maximum"
          className={classes.max}
          metric={row.metric}
          currency={currency}
          value={row.max}
          onChange={(max) => onChange({ ...row, max })}
          {...initialFocus(takesFocus)}
          {...describeError(maxError)}
        />
        <NativeSelect
          aria-label="What to count"
          className={`${row.per === undefined ? classes.only : classes.choice} ${classes.secondLine}`}
          data={metrics.map((metric) => ({ value: metric, label: labelOf(metric, currency) }))}
          value={row.metric}
          onChange={({ currentTarget: { selectedIndex } }) =>
            onChange(withMetric(row, metrics[selectedIndex] ?? row.metric))
          }
          {...describeError(maxError === undefined ? choiceError : undefined)}
        />
        {row.per !== undefined && (
          <>
            <Text size="sm" className={classes.secondLine}>
              per
            </Text>
            <NativeSelect
              aria-label="Period"
              className={`${classes.choice} ${classes.secondLine}`}
              data={periodsOf(row.metric)}
              value={row.per}
              onChange={({ currentTarget: { selectedIndex } }) =>
                onChange(withPeriod(row, periodsOf(row.metric)[selectedIndex] ?? row.per))
              }
              {...describeError(maxError === undefined ? choiceError : undefined)}
            />
          </>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name.toLowerCase()}`} onClick={onRemove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
      {error !== undefined && (
        <Input.Error id={errorId} mt={4}>
          {error}
        </Input.Error>
      )}
      {warning !== undefined && (
        <Text size="sm" mt={4} c="var(--mantine-color-error)" role="status">
          {warning}
        </Text>
      )}
      {priceWarning !== undefined && (
        <Text size="xs" mt={4} role="status">
          {priceWarning}
        </Text>
      )}
      <LimitOptions name={name} row={row} currency={currency} errorOf={errorOf} onChange={onChange} />
    </div>
  );
}

function labelOf(metric: Metric, currency: string | undefined): string {
  if (metric === 'cost') return currency ?? 'cost';
  return metric === 'concurrency' ? 'concurrent requests' : metric;
}
