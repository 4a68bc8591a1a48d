import { Anchor, Box, Table } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useScrollOverflow } from '../../../hooks/use-scroll-overflow.js';
import { formatOptional } from '../../../lib/format-numbers.js';
import classes from './Charts.module.css';
import { longStart, type Steps } from './format-interval.js';
import type { Measure } from '../measures.js';
import { RoundingNote } from '../RoundingNote.js';
import { rangeOfDay } from '../search.js';
import { dayOfStart, hasDaysToOpen } from './open-day.js';
import type { Chart } from './series.js';
import { valueFormat, valuesOf } from './value-format.js';

interface ChartTableProps {
  chart: Chart;
  steps: Steps;
  measure: Measure;
}

/** The numbers of a chart: their sums, which stay visible, and the newest first. Days link to their usage by hour. */
export function ChartTable({ chart, steps, measure }: ChartTableProps) {
  const { title, starts, series, addsUp } = chart;
  const opensDays = hasDaysToOpen(chart, steps);
  const format = valueFormat(chart, measure);
  const label = `${title} table`;
  const hasSums = addsUp && series.length > 1;
  const { ref, hasMoreRight, hasMoreBelow, update } = useScrollOverflow();
  // The row of the day disappears.
  const focusTable = () => ref.current?.focus({ preventScroll: true });
  const table = (
    <Box className={classes.frame} mod={{ 'more-right': hasMoreRight, 'more-below': hasMoreBelow }}>
      <Box ref={ref} className={classes.numbers} tabIndex={0} role="region" aria-label={label} onScroll={update}>
        <Table stickyHeader aria-label={label} fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{steps.interval === 'day' ? 'Day' : 'Hour'}</Table.Th>
              {series.map((one) => (
                <Table.Th key={one.key} ta="right">
                  {one.label}
                </Table.Th>
              ))}
              {hasSums && <Table.Th ta="right">Total</Table.Th>}
            </Table.Tr>
            <Table.Tr>
              <Table.Th scope="row">Whole range</Table.Th>
              {series.map(({ key, total }) => (
                <Table.Th key={key} ta="right">
                  {formatOptional(total, format)}
                </Table.Th>
              ))}
              {hasSums && (
                <Table.Th ta="right">{formatOptional(sum(series.map(({ total }) => total)), format)}</Table.Th>
              )}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {starts
              .map((start, index) => (
                <Table.Tr key={start}>
                  <Table.Td>
                    {opensDays ? <DayLink {...{ start, steps }} onOpen={focusTable} /> : longStart(start, steps)}
                  </Table.Td>
                  {series.map(({ key, values }) => (
                    <Table.Td key={key} ta="right">
                      {formatOptional(values[index], format)}
                    </Table.Td>
                  ))}
                  {hasSums && (
                    <Table.Td ta="right">
                      {formatOptional(sum(series.map(({ values }) => values[index] ?? null)), format)}
                    </Table.Td>
                  )}
                </Table.Tr>
              ))
              .reverse()}
          </Table.Tbody>
        </Table>
      </Box>
    </Box>
  );
  return (
    <>
      {table}
      {measure.currency !== undefined && <RoundingNote amounts={valuesOf(chart)} currency={measure.currency} />}
    </>
  );
}

interface DayLinkProps {
  start: string;
  steps: Steps;
  onOpen: () => void;
}

function DayLink({ start, steps, onOpen }: DayLinkProps) {
  const day = dayOfStart(start, steps);
  return (
    <Anchor
      inherit
      onClick={onOpen}
      renderRoot={(props) => (
        <Link
          to="/dashboard/usage"
          search={(current) => ({ ...current, ...rangeOfDay(day), page: 1 })}
          resetScroll={false}
          {...props}
        />
      )}
    >
      {longStart(start, steps)}
    </Anchor>
  );
}

/** Null if nothing was measured. */
function sum(values: readonly (number | null)[]): number | null {
  const measured = values.filter((value) => value !== null);
  return measured.length === 0 ? null : measured.reduce((total, value) => total + value, 0);
}
