import { Box, Button, Center, Collapse, Group, Skeleton, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { type ReactNode, Suspense, useId } from 'react';
import type { CalendarDay } from '../../lib/calendar-day.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { ChartLegend } from './charts/ChartLegend.js';
import { ChartTable } from './charts/ChartTable.js';
import type { Steps } from './charts/format-interval.js';
import { hasDaysToOpen } from './charts/open-day.js';
import { type Chart, hasValues, isShown } from './charts/series.js';
import type { Measure } from './measures.js';

const SeriesChart = lazyComponent(() => import('./charts/SeriesChart.js'), 'SeriesChart');

// While the data is loading.
void SeriesChart.preload?.()?.catch(() => undefined);

/** Height of the chart. */
export const chartHeight = 320;

interface UsageChartProps {
  measure: Measure;
  chart: Chart;
  steps: Steps;
  /** What else to choose, next to the title. */
  controls: ReactNode;
  /** Shows a single day. */
  onOpenDay: (day: CalendarDay) => void;
}

/** The selected measure over time, as a chart and a table. */
export function UsageChart({ measure, chart, steps, controls, onOpenDay }: UsageChartProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const tableId = useId();
  const { title, series } = chart;
  const shown = series.filter(isShown);
  return (
    <Box component="section" aria-label={title} p="md">
      <Group justify="space-between" gap="sm" mb="md">
        <Title order={2} size="h5">
          {title}
        </Title>
        <Group gap="xs">
          {controls}
          <Button
            variant="default"
            size="xs"
            rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
            aria-expanded={isOpen}
            aria-controls={tableId}
            onClick={toggle}
          >
            {isOpen ? 'Hide table' : 'Show table'}
          </Button>
        </Group>
      </Group>
      {hasValues(chart) ? (
        // Screen readers use the table instead.
        <Box role="img" aria-label={`${title} by ${steps.interval}, as a chart. The table below has the same numbers.`}>
          <Suspense fallback={<Skeleton h={chartHeight} />}>
            {/* The library would draw changed series after unchanged ones, and so stack them in another order. */}
            <SeriesChart
              key={series.map(({ key, label }) => `${key} ${label}`).join()}
              {...{ measure, chart, steps }}
              heightPixels={chartHeight}
              onOpenDay={hasDaysToOpen(chart, steps) ? onOpenDay : undefined}
            />
          </Suspense>
        </Box>
      ) : (
        <Center py="lg">
          <Text c="dimmed" size="sm">
            None in this range
          </Text>
        </Center>
      )}
      {shown.length > 1 && (
        <Box mt="sm">
          <ChartLegend series={shown} />
        </Box>
      )}
      <Collapse expanded={isOpen} id={tableId} mt={isOpen ? 'md' : 0}>
        {isOpen && <ChartTable {...{ chart, steps, measure }} />}
      </Collapse>
    </Box>
  );
}
