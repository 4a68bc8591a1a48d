import { Box, Button, Group, Paper, SimpleGrid, Skeleton } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ClearFiltersButton } from '../../ui/ClearFiltersButton.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import { ChartCard } from './charts/ChartCard.js';
import classes from './charts/Charts.module.css';
import { LatencyTable } from './LatencyTable.js';
import { type Measure, measures, measuresWithCost } from './measures.js';
import { ExportButton } from './export/ExportButton.js';
import { FailureCauses } from './failures/FailureCauses.js';
import { RangeControl } from './filters/RangeControl.js';
import type { UsageSearch } from './search.js';
import { labelGroups, measuredModels, toChart } from './charts/series.js';
import { type Usage, usageQuery } from './usage.js';
import { noUsage } from './usage-totals.js';
import { MonthCost } from './month/MonthCost.js';
import { describeUnpriced } from './unpriced-requests.js';
import { UsageFilters } from './filters/UsageFilters.js';
import { UsageGroups } from './UsageGroups.js';
import { UsageTotalsRow } from './UsageTotalsRow.js';

const route = getRouteApi('/dashboard/usage');
const chartColumns = { base: 1, lg: 2 };

/** The usage of the organization's keys. */
export function UsagePage() {
  return (
    <RequirePermission permission="get-usage">
      <UsageReport />
    </RequirePermission>
  );
}

function UsageReport() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(usageQuery(search));
  const show = (change: Partial<UsageSearch>) =>
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), resetScroll: false });
  return (
    <>
      <PageHeader
        title="Usage"
        description="Requests, tokens, pages, cost and latency by API key, model and tag."
        actions={<ExportButton search={search} />}
      />
      {search.apiKeyId === undefined && search.model === undefined && search.tag === undefined && <MonthCost />}
      <Group gap="sm" mb="md">
        <RangeControl search={search} onChange={show} />
        <UsageFilters search={search} onChange={show} />
      </Group>
      {error !== null && (
        <Box mb="md">
          <ErrorAlert error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      {data === undefined && error === null && <LoadingUsage />}
      {data !== undefined && (
        <Box className={classes.colors} opacity={isPlaceholderData ? 0.6 : 1}>
          {data.totals.requests + data.totals.limited === 0 ? (
            <NoUsage search={search} onClear={() => show({ apiKeyId: undefined, model: undefined, tag: undefined })} />
          ) : (
            <UsageCharts {...data} search={search} onPage={show} />
          )}
        </Box>
      )}
      {error === null && <FailureCauses search={search} />}
    </>
  );
}

interface UsageChartsProps extends Usage {
  search: UsageSearch;
  onPage: (page: Pick<UsageSearch, 'page' | 'perPage'>) => void;
}

function UsageCharts({ search, onPage, ...usage }: UsageChartsProps) {
  const { report, byModel, interval } = usage;
  const groups = labelGroups(report);
  const models = measuredModels(byModel);
  const { groupBy } = report;
  const groupCount = report.groups.length + (report.others?.groupCount ?? 0);
  const chartOf = (measure: Measure) =>
    measure.key === 'latency'
      ? toChart(measure, models, models.length > 1 ? 'model' : 'none')
      : toChart(measure, groups, groupBy);
  return (
    <>
      <UsageTotalsRow usage={usage} isOfModel={search.model !== undefined} />
      {/* Another key, so that keys aren't shown as models while models load. */}
      {groupBy !== 'none' && (
        <UsageGroups key={groupBy} {...{ groupBy, search, onPage, groupCount }} charted={groups} />
      )}
      <SimpleGrid cols={chartColumns} spacing="md">
        {measuresWithCost(usage.currency)
          .filter(({ isShown }) => isShown?.(usage.totals) ?? true)
          .map((measure) => (
            <Box key={measure.key} className={measure.key === 'requests' ? classes.wide : undefined}>
              <ChartCard
                measure={measure}
                chart={chartOf(measure)}
                interval={interval}
                note={measure.kind === 'cost' ? describeUnpriced(usage.totals, byModel) : undefined}
              />
            </Box>
          ))}
      </SimpleGrid>
      <LatencyTable models={models} />
    </>
  );
}

function LoadingUsage() {
  return (
    <Box role="status" aria-label="Loading">
      <UsageTotalsRow usage={undefined} isOfModel={false} />
      <SimpleGrid cols={chartColumns} spacing="md">
        {measures
          .filter(({ isShown }) => isShown?.(noUsage) ?? true)
          .map(({ key }) => (
            <Skeleton key={key} h={340} className={key === 'requests' ? classes.wide : undefined} />
          ))}
      </SimpleGrid>
    </Box>
  );
}

function NoUsage({ search: { apiKeyId, model, tag }, onClear }: { search: UsageSearch; onClear: () => void }) {
  const isFiltered = apiKeyId !== undefined || model !== undefined || tag !== undefined;
  return (
    <Paper withBorder>
      <EmptyState
        icon={<IconChartBar size={28} />}
        title="No requests in this range"
        action={
          isFiltered ? (
            <ClearFiltersButton onClear={onClear} />
          ) : (
            <Button mt="sm" renderRoot={(props) => <Link to="/dashboard/playground" {...props} />}>
              Try the playground
            </Button>
          )
        }
      >
        {isFiltered ? 'Try a longer range, or remove the filters.' : 'Requests made with your API keys appear here.'}
      </EmptyState>
    </Paper>
  );
}
