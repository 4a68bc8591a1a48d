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

/** One measure over time: the chart, and below it the same numbers as a table and as a file. */
export function ChartCard({ measure, chart, interval }: ChartCardProps) {
  const [isOpen, { toggle }] = useDisclosure(false);
  const tableId = useId();
  const { title } = chart;
  const save = () =>
    saveFile(chartFileName(measure.key, chart), new Blob([toChartCsv(chart, interval)], { type: 'text/csv' }));
  return (
    <Paper withBorder p="md" h="100%" component="section" aria-label={title}>
      <Stack gap="md">
        <Title order={2} size="h5">
          {title}
        </Title>
        {hasValues(chart) ? <Picture {...{ measure, chart, interval }} /> : <NoPicture text={measure.emptyText} />}
        <Group gap="xs">
          <Button
            variant="default"
            size="compact-sm"
            rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
            aria-expanded={isOpen}
            aria-controls={tableId}
            onClick={toggle}
          >
            {isOpen ? 'Hide numbers' : 'Show numbers'}
          </Button>
          <Button variant="default" size="compact-sm" leftSection={<IconDownload size={14} />} onClick={save}>
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

/** For those who see; the others have the table. */
function Picture({ measure, chart, interval }: ChartCardProps) {
  const { title, series } = chart;
  return (
    <>
      <Box role="img" aria-label={`${title} by ${interval}, as a chart. The numbers follow as a table.`}>
        <Suspense fallback={<Skeleton h={heightPixels} />}>
          <SeriesChart {...{ measure, chart, interval }} height={heightPixels} />
        </Suspense>
      </Box>
      {series.length > 1 && <ChartLegend series={series.filter(isShown)} />}
    </>
  );
}

function NoPicture({ text }: { text: string }) {
  return (
    <Center h={heightPixels}>
      <Text c="dimmed" size="sm">
        {text}
      </Text>
    </Center>
  );
}
