import { Anchor, Box, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { formatCostFigure, formatCount, formatShare, pluralize } from '../../lib/format-numbers.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { usePermission } from '../../session/me.js';
import { ChartLegend } from './charts/ChartLegend.js';
import classes from './charts/Charts.module.css';
import { isShown } from './charts/series.js';
import { RangeControl } from './filters/RangeControl.js';
import { costOf } from './usage-totals.js';
import { outcomeMeasure, toOutcomeChart } from './outcomes.js';
import type { UsageFilter, UsageRange } from './search.js';
import { describeUnpriced } from './unpriced-requests.js';
import { requestsQuery, type Usage } from './usage.js';

const SeriesChart = lazyComponent(() => import('./charts/SeriesChart.js'), 'SeriesChart');

const heightPixels = 160;

/** The usage of a key, hidden from users who lack the permission. */
export function ApiKeyUsage({ apiKeyId }: { apiKeyId: string }) {
  return usePermission('get-usage') ? <RecentUsage filter={{ apiKeyId: [apiKeyId] }} /> : null;
}

/** The usage of all keys that a user or service account created. */
export function CreatorUsage({ creatorId }: { creatorId: string }) {
  return usePermission('get-usage') ? <RecentUsage filter={{ creatorId: [creatorId] }} /> : null;
}

function RecentUsage({ filter }: { filter: UsageFilter }) {
  const [range, setRange] = useState<UsageRange>({ range: '30d' });
  const { data, error, refetch, isPlaceholderData } = useQuery(requestsQuery(range, filter));
  return (
    <Paper withBorder p="lg" component="section" aria-label="Usage" className={classes.colors}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          Usage
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/dashboard/usage" search={{ ...range, ...filter }} {...props} />}
        >
          View details
        </Anchor>
      </Group>
      <Box mb="md">
        <RangeControl search={range} onChange={(change) => setRange((current) => ({ ...current, ...change }))} />
      </Box>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton h={heightPixels + 36} />}
      {data !== undefined && (
        <Box opacity={isPlaceholderData ? 0.6 : 1}>
          <Outcomes {...data} />
        </Box>
      )}
    </Paper>
  );
}

function Outcomes({ report, totals, byModel, currency, period }: Usage) {
  const { requests, failures, limited } = totals;
  if (requests + limited === 0) {
    return (
      <Text size="sm" c="dimmed">
        No requests in this range.
      </Text>
    );
  }
  const summary = [
    `${pluralize(requests, 'request')}, ${formatCount(failures)} failed (${formatShare(failures, requests)})`,
    ...(limited > 0 ? [`plus ${formatCount(limited)} rejected by a limit`] : []),
  ].join(', ');
  const cost = costOf(totals);
  const unpriced = cost === null ? undefined : describeUnpriced(totals, byModel);
  const chart = toOutcomeChart(report);
  return (
    <Stack gap="md">
      <div>
        <Text size="sm">{summary}</Text>
        {cost !== null && <Text size="sm">Cost: {formatCostFigure(cost, currency)}</Text>}
        {unpriced !== undefined && (
          <Text size="xs" c="dimmed">
            {unpriced}
          </Text>
        )}
      </div>
      <Box role="img" aria-label={`Chart by ${period.interval}: ${summary}`}>
        <Suspense fallback={<Skeleton h={heightPixels} />}>
          <SeriesChart measure={outcomeMeasure} chart={chart} steps={period} heightPixels={heightPixels} />
        </Suspense>
      </Box>
      <ChartLegend series={chart.series.filter(isShown)} />
    </Stack>
  );
}
