import { Box, Button, Center, Collapse, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconChevronUp, IconDownload } from '@tabler/icons-react';
import { Suspense, useId } from 'react';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { saveFile } from '../../../lib/save-file.js';
import { chartFileName, toChartCsv } from './chart-csv.js';
import { ChartLegend } from './ChartLegend.js';
import { ChartTable } from './ChartTable.js';
import type { Interval } from './format-interval.js';
import type { Measure } from '../measures.js';
import { type Chart, hasValues, isShown } from './series.js';

const SeriesChart = lazyComponent(() => import('./SeriesChart.js'), 'SeriesChart');

const heightPixels = 220;

interface ChartCardProps {
  measure: Measure;
  chart: Chart;
  interval: Interval;
}

/**
 * One measure over time, as a chart, a table and a CSV file.
 *
 * @param note what the values leave out
 */
export function ChartCard({ measure, chart, interval, note }: ChartCardProps & { note?: string | undefined }) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const tableId = useId();
  const { title } = chart;
  const download = () =>
    saveFile(chartFileName(chart), new Blob([toChartCsv(chart, interval, measure.unit)], { type: 'text/csv' }));
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h5">
            {title}
          </Title>
          {note !== undefined && (
            <Text size="xs" c="dimmed" mt={4}>
              {note}
            </Text>
          )}
        </div>
        {hasValues(chart) ? (
          <LabelledChart {...{ measure, chart, interval }} />
        ) : (
          <EmptyChart text={measure.emptyText} />
        )}
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
            aria-expanded={isOpen}
            aria-controls={tableId}
            onClick={toggle}
          >
            {isOpen ? 'Hide table' : 'Show table'}
          </Button>
          <Button variant="default" size="compact-sm" leftSection={<IconDownload size={14} />} onClick={download}>
            Download CSV
          </Button>
        </Group>
        <Collapse expanded={isOpen} id={tableId}>
          {isOpen && <ChartTable {...{ chart, interval }} format={measure.format} />}
        </Collapse>
      </Stack>
    </Paper>
  );
}

/** The chart. Screen readers use the table instead. */
function LabelledChart({ measure, chart, interval }: ChartCardProps) {
  const { title, series } = chart;
  return (
    <>
      <Box role="img" aria-label={`${title} by ${interval}, as a chart. The table below has the same numbers.`}>
        <Suspense fallback={<Skeleton h={heightPixels} />}>
          {/* The library would draw changed series after unchanged ones, and so stack them in another order. */}
          <SeriesChart
            key={series.map(({ key, label }) => `${key} ${label}`).join()}
            {...{ measure, chart, interval }}
            heightPixels={heightPixels}
          />
        </Suspense>
      </Box>
      {series.length > 1 && <ChartLegend series={series.filter(isShown)} />}
    </>
  );
}

function EmptyChart({ text }: { text: string }) {
  return (
    <Center h={heightPixels}>
      <Text c="dimmed" size="sm" ta="center">
        {text}
      </Text>
    </Center>
  );
}
