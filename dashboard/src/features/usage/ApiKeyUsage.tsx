import { Anchor, Box, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { formatCostFigure, formatCount, formatShare, pluralize } from '../../lib/format-numbers.js';
import { lazyComponent } from '../../lib/lazy-component.js';
import { usePermission } from '../../session/me.js';
import { ChartLegend } from './charts/ChartLegend.js';
import classes from './charts/Charts.module.css';
import { isShown } from './charts/series.js';
import { costOf } from './usage-totals.js';
import { outcomeMeasure, toOutcomeChart } from './outcomes.js';
import { describeUnpriced } from './unpriced-requests.js';
import { apiKeyUsageQuery, creatorUsageQuery, type Usage } from './usage.js';

const SeriesChart = lazyComponent(() => import('./charts/SeriesChart.js'), 'SeriesChart');

const heightPixels = 160;

/** The usage of a key in the last 30 days, hidden from users who lack the permission. */
export function ApiKeyUsage({ apiKeyId }: { apiKeyId: string }) {
  const details = (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/dashboard/usage" search={{ range: '30d', apiKeyId: [apiKeyId] }} {...props} />}
    >
      View details
    </Anchor>
  );
  return usePermission('get-usage') ? <RecentUsage query={apiKeyUsageQuery(apiKeyId)} link={details} /> : null;
}

/** The usage of all keys that a user or service account created, in the last 30 days. */
export function CreatorUsage({ creatorId }: { creatorId: string }) {
  return usePermission('get-usage') ? <RecentUsage query={creatorUsageQuery(creatorId)} /> : null;
}

interface RecentUsageProps {
  query: ReturnType<typeof apiKeyUsageQuery>;
  /** To more about it. */
  link?: ReactNode;
}

function RecentUsage({ query, link }: RecentUsageProps) {
  const { data, error, refetch } = useQuery(query);
  return (
    <Paper withBorder p="lg" component="section" aria-label="Usage" className={classes.colors}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          Usage in the last 30 days
        </Title>
        {link}
      </Group>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton h={heightPixels + 36} />}
      {data !== undefined && <Outcomes {...data} />}
    </Paper>
  );
}

function Outcomes({ report, totals, byModel, currency, period }: Usage) {
  const { requests, failures, limited } = totals;
  if (requests + limited === 0) {
    return (
      <Text size="sm" c="dimmed">
        No requests in the last 30 days.
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
      <Box role="img" aria-label={`Chart by day: ${summary}`}>
        <Suspense fallback={<Skeleton h={heightPixels} />}>
          <SeriesChart measure={outcomeMeasure} chart={chart} steps={period} heightPixels={heightPixels} />
        </Suspense>
      </Box>
      <ChartLegend series={chart.series.filter(isShown)} />
    </Stack>
  );
}
