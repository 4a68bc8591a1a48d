import { Box, Table } from '@mantine/core';
import { formatOptional } from '../../../lib/format-numbers.js';
import classes from './Charts.module.css';
import { type Interval, longStart } from './format-interval.js';
import type { Measure } from '../measures.js';
import type { Chart } from './series.js';

interface ChartTableProps {
  chart: Chart;
  interval: Interval;
  format: Measure['format'];
}

/** The numbers of a chart: their sums, which stay visible, and the newest first. */
export function ChartTable({ chart: { title, starts, series }, interval, format }: ChartTableProps) {
  const label = `${title} table`;
  return (
    <Box className={classes.numbers} tabIndex={0} role="region" aria-label={label}>
      <Table stickyHeader aria-label={label} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{interval === 'day' ? 'Day' : 'Hour'}</Table.Th>
            {series.map((one) => (
              <Table.Th key={one.key} ta="right">
                {one.label}
              </Table.Th>
            ))}
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">Whole range</Table.Th>
            {series.map(({ key, total }) => (
              <Table.Td key={key} ta="right" fw={700}>
                {formatOptional(total, format)}
              </Table.Td>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {starts
            .map((start, index) => (
              <Table.Tr key={start}>
                <Table.Td>{longStart(start, interval)}</Table.Td>
                {series.map(({ key, values }) => (
                  <Table.Td key={key} ta="right">
                    {formatOptional(values[index], format)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))
            .reverse()}
        </Table.Tbody>
      </Table>
    </Box>
  );
}
