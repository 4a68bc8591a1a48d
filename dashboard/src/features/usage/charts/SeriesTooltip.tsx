import { ColorSwatch, Group, Paper, Text } from '@mantine/core';
import { formatOptional } from '../../../lib/format-numbers.js';
import type { Measure } from '../measures.js';
import classes from './Charts.module.css';
import { longStart, type Steps } from './format-interval.js';
import { describeOpening } from './open-day.js';
import type { Chart } from './series.js';
import { valueFormat } from './value-format.js';

interface SeriesTooltipProps {
  chart: Chart;
  steps: Steps;
  measure: Pick<Measure, 'format' | 'currency'>;
  /** Start of the hovered interval; anything else while none is hovered. */
  start: unknown;
  /** Whether a click opens the day. */
  opensDays: boolean;
}

/** The values of an interval, highest first, and their total. Series without a value are left out. */
export function SeriesTooltip({ chart, steps, measure, start, opensDays }: SeriesTooltipProps) {
  const { starts, series, addsUp } = chart;
  const index = typeof start === 'string' ? starts.indexOf(start) : -1;
  if (typeof start !== 'string' || index === -1) return null;
  const rows = series
    .map(({ key, label, values }) => ({ key, label, value: values[index] ?? null }))
    .filter(({ value }) => value !== null && value > 0)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const hasTotal = addsUp && series.length > 1;
  const total = rows.reduce((sum, { value }) => sum + (value ?? 0), 0);
  const format = valueFormat(chart, measure);
  const shown =
    rows.length === 0 && !hasTotal ? series.map((one) => ({ ...one, value: one.values[index] ?? null })) : rows;
  const purpose = describeOpening(start, steps, new Date());
  return (
    <Paper withBorder shadow="md" p="xs" className={classes.tooltip}>
      <Text size="xs" fw={600}>
        {longStart(start, steps)}
      </Text>
      {hasTotal && <Row label="Total" value={format(total)} isTotal />}
      {shown.map(({ key, label, value }) => (
        <Row key={key} color={key} label={label} value={formatOptional(value, format)} />
      ))}
      {opensDays && (
        <Text size="xs" c="dimmed" mt={4}>
          <span className={classes.clickHint}>Click {purpose}</span>
          <span className={classes.tapHint}>Tap again {purpose}</span>
        </Text>
      )}
    </Paper>
  );
}

interface RowProps {
  label: string;
  value: string;
  /** Selects the color. */
  color?: string;
  isTotal?: boolean;
}

function Row({ label, value, color, isTotal = false }: RowProps) {
  return (
    <Group gap={6} wrap="nowrap" justify="space-between" mt={4}>
      <Group gap={6} wrap="nowrap" miw={0}>
        {color !== undefined && <ColorSwatch color={`var(--${color})`} size={8} withShadow={false} />}
        <Text size="xs" fw={isTotal ? 600 : undefined} truncate>
          {label}
        </Text>
      </Group>
      <Text size="xs" fw={600} className={classes.amount}>
        {value}
      </Text>
    </Group>
  );
}
