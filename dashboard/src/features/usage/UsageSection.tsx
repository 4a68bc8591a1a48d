import { Anchor, Box, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense } from 'react';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { ChartLegend } from './charts/ChartLegend.js';
import classes from './charts/Charts.module.css';
import { isShown, labelGroups, toChart } from './charts/series.js';
import { RangeControl } from './filters/RangeControl.js';
import { chooseMeasure } from './measures.js';
import { MeasureTiles } from './MeasureTiles.js';
import { useMonthBudget } from './month-budget.js';
import { describeOutcomes, sectionMeasures, toOutcomeChart } from './outcomes.js';
import type { UsageFilter, UsageSectionSearch } from './search.js';
import { requestsQuery, type Usage } from './usage.js';

const SeriesChart = lazyComponent(() => import('./charts/SeriesChart.js'), 'SeriesChart');

const heightPixels = 160;

interface UsageSectionProps {
  /** Whose usage it is. */
  filter: UsageFilter;
  search: UsageSectionSearch;
  /** Whether the page says above how months are forecast. */
  isForecastExplained?: boolean | undefined;
  onChange: (change: Partial<UsageSectionSearch>) => void;
}

/** Requests and cost of a key or person, compared with the period before. Leads to the usage page for more. */
export function UsageSection({ filter, search, isForecastExplained, onChange }: UsageSectionProps) {
  const { data, error, refetch, isPlaceholderData } = useQuery(requestsQuery(search, filter));
  return (
    <Paper withBorder component="section" aria-label="Usage" className={`${classes.colors} ${classes.panel}`}>
      <Box p="lg" pb="md">
        <Group justify="space-between" mb="xs">
          <Title order={2} size="h4">
            Usage
          </Title>
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/dashboard/usage" search={{ ...search, ...filter }} {...props} />}
          >
            View details
          </Anchor>
        </Group>
        <RangeControl search={search} onChange={onChange} />
      </Box>
      {error !== null && (
        <Box px="lg" pb="lg">
          <ErrorAlert error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {data === undefined && error === null && <Skeleton h={heightPixels + 160} />}
      {data !== undefined && (
        <Box opacity={isPlaceholderData ? 0.6 : 1}>
          <ShownUsage
            usage={data}
            isCurrent={!isPlaceholderData}
            {...{ filter, search, isForecastExplained, onChange }}
          />
        </Box>
      )}
    </Paper>
  );
}

interface ShownUsageProps extends UsageSectionProps {
  usage: Usage;
  /** Whether the usage isn't of an earlier search. */
  isCurrent: boolean;
}

function ShownUsage({ usage, isCurrent, filter, search, isForecastExplained, onChange }: ShownUsageProps) {
  const { report, totals, currency, period } = usage;
  const budget = useMonthBudget({ ...search, ...filter });
  if (totals.requests + totals.limited === 0) {
    return (
      <Text size="sm" c="dimmed" px="lg" pb="lg">
        No requests in this range.
      </Text>
    );
  }
  const measures = sectionMeasures(totals, currency);
  const measure = chooseMeasure(measures, search.measure);
  const chart = measure.key === 'cost' ? toChart(measure, labelGroups(report), 'none') : toOutcomeChart(report);
  const summary = measure.key === 'cost' ? `cost ${measure.formatFigure?.(totals) ?? ''}` : describeOutcomes(totals);
  const shown = chart.series.filter(isShown);
  return (
    <>
      <Box className={classes.tiles}>
        <MeasureTiles
          {...{ usage, measures, isForecastExplained }}
          search={{ ...search, ...filter }}
          // Figures of an earlier search may be of another month.
          budget={isCurrent ? budget : undefined}
          selected={measure.key}
          onSelect={(key) => onChange({ measure: key === 'cost' ? key : 'requests' })}
        />
      </Box>
      <Box p="lg">
        <Box role="img" aria-label={`Chart by ${period.interval}: ${summary}`}>
          <Suspense fallback={<Skeleton h={heightPixels} />}>
            <SeriesChart key={measure.key} {...{ measure, chart, heightPixels }} steps={period} />
          </Suspense>
        </Box>
        {measure.key !== 'cost' && (
          <Box mt="md">
            <ChartLegend series={shown} />
          </Box>
        )}
      </Box>
    </>
  );
}
