import { Box, Button, NativeSelect, Paper, Skeleton, Stack } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { readChoice } from '../../lib/search-parameters.js';
import { useMe } from '../../session/me.js';
import { EmptyState } from '../../ui/EmptyState.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PageHeader } from '../../ui/PageHeader.js';
import { RequirePermission } from '../../ui/RequirePermission.js';
import classes from './charts/Charts.module.css';
import { type LabelledGroup, labelGroups, toChart } from './charts/series.js';
import { explainPartialChanges } from './compare-with-previous.js';
import { ExportButton } from './export/ExportButton.js';
import { FailureCauses } from './failures/FailureCauses.js';
import { RangeControl } from './filters/RangeControl.js';
import { UsageFilters } from './filters/UsageFilters.js';
import { chooseMeasure, isByModel, usedMeasures } from './measures.js';
import { LoadingTiles, MeasureTiles } from './MeasureTiles.js';
import { useMonthBudget } from './month-budget.js';
import { PrefixSelect } from './PrefixSelect.js';
import { groupings, isFiltered, rangeOfDay, selectionOf, type UsageSearch } from './search.js';
import { type Usage, usageQuery } from './usage.js';
import { chartHeight, UsageChart } from './UsageChart.js';
import { UsageGroups } from './UsageGroups.js';

const route = getRouteApi('/dashboard/usage');

/** The usage of the organization's keys. */
export function UsagePage() {
  return (
    <RequirePermission permission="get-usage">
      <UsageReport />
    </RequirePermission>
  );
}

type Show = (change: Partial<UsageSearch>) => void;

function UsageReport() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, isPlaceholderData } = useQuery(usageQuery(search));
  const show: Show = (change) =>
    void navigate({ search: (current) => ({ ...current, page: 1, ...change }), resetScroll: false });
  const { timeZone } = useMe().organization;
  const isEmpty = data !== undefined && data.totals.requests + data.totals.limited === 0;
  return (
    <>
      <PageHeader
        title="Usage"
        description={`What your keys use and cost, by model, key, tag and person. Days begin at midnight in ${timeZone}.`}
        actions={<ExportButton search={search} />}
      />
      <Stack gap="xs" mb="md">
        <RangeControl search={search} onChange={show} />
        <UsageFilters search={search} onChange={show} />
      </Stack>
      {error !== null && (
        <Box mb="md">
          <ErrorAlert error={error} onRetry={() => void refetch()} />
        </Box>
      )}
      <Box className={classes.colors} opacity={isPlaceholderData ? 0.6 : 1}>
        {data === undefined && error === null && <LoadingUsage />}
        {isEmpty && <NoUsage search={search} />}
        {data !== undefined && !isEmpty && <ShownUsage usage={data} {...{ search, show, isPlaceholderData }} />}
      </Box>
      {error === null && <FailureCauses search={search} />}
    </>
  );
}

const splits: { value: UsageSearch['groupBy']; label: string }[] = [
  { value: 'none', label: 'No split' },
  { value: 'model', label: 'Split by model' },
  { value: 'apiKey', label: 'Split by key' },
  { value: 'tag', label: 'Split by tag' },
  { value: 'creator', label: 'Split by person' },
];

interface ShownUsageProps {
  usage: Usage;
  search: UsageSearch;
  show: Show;
  /** Whether the usage is of an earlier search. */
  isPlaceholderData: boolean;
}

function ShownUsage({ usage, search, show, isPlaceholderData }: ShownUsageProps) {
  const { report, totals, currency, period } = usage;
  const measures = usedMeasures(totals, currency);
  const measure = chooseMeasure(measures, search.measure);
  const groups = labelGroups(report, usage.tagPrefix);
  const budget = useMonthBudget(search);
  return (
    <>
      <Paper withBorder mb="md" className={classes.panel}>
        <MeasureTiles
          {...{ usage, measures, search }}
          // Figures of an earlier search may be of another month.
          budget={isPlaceholderData ? undefined : budget}
          selected={measure.key}
          onSelect={(key) => show({ measure: key, orderBy: undefined, order: undefined })}
        />
        <UsageChart
          measure={measure}
          chart={toChart(measure, groups, report.groupBy, countsOnce(groups, usage))}
          steps={period}
          onOpenDay={(day) => show(rangeOfDay(day))}
          controls={
            <>
              <NativeSelect
                size="xs"
                aria-label="Split by"
                value={search.groupBy}
                data={splits}
                onChange={({ currentTarget }) => show({ groupBy: readChoice(currentTarget.value, groupings) })}
              />
              {search.groupBy === 'tag' && <PrefixSelect {...{ search, groups }} onChange={show} />}
            </>
          }
        />
      </Paper>
      <UsageGroups
        // Another key, so that keys aren't shown as models while models load.
        key={search.groupBy}
        groupBy={search.groupBy === 'none' ? 'model' : search.groupBy}
        {...{ search, measures, measure }}
        totals={usage.selection === selectionOf(search) ? totals : undefined}
        previousTotals={usage.previousTotals}
        changeNote={explainPartialChanges(measure, usage)}
        start={{ previousStart: usage.previousStart, timeZone: period.timeZone }}
        hasModels={usage.byModel.groups.length > 1}
        charted={search.groupBy === 'none' && !isByModel(measure.key) ? [] : groups}
        onChange={show}
      />
    </>
  );
}

/** Whether the groups of the chart add up: a key with several tags counts for each. */
function countsOnce(groups: readonly LabelledGroup[], { report, totals, tagPrefix }: Usage): boolean {
  if (report.groupBy !== 'tag') return true;
  const counted = groups.reduce((sum, { totals: { requests, limited } }) => sum + requests + limited, 0);
  // Requests may have been counted in between.
  return tagPrefix !== undefined && counted <= (totals.requests + totals.limited) * 1.01;
}

function LoadingUsage() {
  return (
    <Paper withBorder mb="md" className={classes.panel} role="status" aria-label="Loading">
      <LoadingTiles />
      <Box p="md">
        <Skeleton h={chartHeight + 46} />
      </Box>
    </Paper>
  );
}

function NoUsage({ search }: { search: UsageSearch }) {
  const filtered = isFiltered(search);
  return (
    <Paper withBorder>
      <EmptyState
        icon={<IconChartBar size={28} />}
        title="No requests in this range"
        action={
          !filtered && (
            <Button mt="sm" renderRoot={(props) => <Link to="/dashboard/playground" {...props} />}>
              Try the playground
            </Button>
          )
        }
      >
        {filtered ? 'Try a longer range, or clear the filters.' : 'Requests made with your API keys appear here.'}
      </EmptyState>
    </Paper>
  );
}
