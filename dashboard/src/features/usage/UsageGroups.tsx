import type { Meter } from '@rules/meters.js';
import { Anchor, Box, ColorSwatch, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { costFormatter, formatCount, formatOptional, formatShare, pluralize } from '../../lib/format-numbers.js';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { TablePagination } from '../../ui/TablePagination.js';
import classes from './charts/Charts.module.css';
import { type LabelledGroup, labelGroups, othersKey } from './charts/series.js';
import { costOf } from './usage-totals.js';
import { isShown, shownMeters } from './meters.js';
import { type UsageSearch, usageSearchDefaults } from './search.js';
import { type GroupName, groupsPageQuery } from './usage.js';

interface UsageGroupsProps {
  groupBy: GroupName;
  search: UsageSearch;
  onPage: (page: Pick<UsageSearch, 'page' | 'perPage'>) => void;
  /** The groups in the charts, which have colors. */
  charted: LabelledGroup[];
  /** The number of all groups: the charts must not move when the table has loaded. */
  groupCount: number;
}

/** The usage of all keys, models or tags, page by page. Names link to its usage; swatches match the colors of the charts. */
export function UsageGroups({ groupBy, search, onPage, charted, groupCount }: UsageGroupsProps) {
  const { page = usageSearchDefaults.page, perPage = usageSearchDefaults.perPage } = search;
  const { data, error, refetch, isPlaceholderData } = useQuery(groupsPageQuery(groupBy, search));
  const loadedCount = data === undefined ? undefined : data.groups.length + (data.others?.groupCount ?? 0);
  const total = loadedCount ?? groupCount;
  useLastPageRedirect({ page, perPage, total: isPlaceholderData ? undefined : loadedCount }, (last) =>
    onPage({ page: last, perPage }),
  );
  const { title, header } = titles[groupBy];
  const rows =
    data && labelGroups({ groupBy, groups: data.groups }).map((group) => ({ ...group, ...colorOf(group, charted) }));
  const costs = rows?.flatMap(({ totals }) => costOf(totals) ?? []) ?? [];
  const formatCost = costFormatter(costs, data?.currency ?? 'USD');
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      <Box opacity={isPlaceholderData ? 0.6 : 1}>
        <DataTable
          label={title}
          columns={[
            {
              key: 'name',
              header,
              render: (group) => <Name group={group} />,
              breaksWords: true,
              isName: true,
            },
            ...numberColumns,
            ...shownMeters
              .filter((meter) => meter.source !== undefined || rows?.some(({ totals }) => isShown(meter, totals)))
              .map(meterColumn),
            ...(costs.length > 0 ? [costColumn(formatCost)] : []),
          ]}
          rows={rows}
          rowKey={({ label, apiKeyId }) => apiKeyId ?? label}
          empty={null}
          skeletonRows={Math.min(perPage, groupCount)}
        />
      </Box>
      {total > Math.min(perPage, usageSearchDefaults.perPage) && (
        <TablePagination {...{ page, perPage, total }} onChange={onPage} />
      )}
    </Paper>
  );
}

const titles = {
  apiKey: { title: 'By key', header: 'Key' },
  model: { title: 'By model', header: 'Model' },
  tag: { title: 'By tag', header: 'Tag' },
};

/** Groups that aren't in the charts have the color of all others combined. */
function colorOf({ apiKeyId, model, tag }: LabelledGroup, charted: LabelledGroup[]): Pick<LabelledGroup, 'key'> {
  const inChart = charted.find(
    (group) => group.key !== othersKey && group.apiKeyId === apiKeyId && group.model === model && group.tag === tag,
  );
  return { key: inChart?.key ?? othersKey };
}

function Name({ group: { key, label, apiKeyId, model, tag } }: { group: LabelledGroup }) {
  const filter = { ...(apiKeyId && { apiKeyId }), ...(model && { model }), ...(tag && { tag }) };
  return (
    <Group gap="sm" wrap="nowrap">
      <ColorSwatch color={`var(--${key})`} size={12} withShadow={false} />
      <div>
        {Object.keys(filter).length === 0 ? (
          label
        ) : (
          <Anchor
            c="inherit"
            fz="sm"
            fw={500}
            className={classes.name}
            renderRoot={(props) => (
              <Link
                to="/dashboard/usage"
                search={(current) => ({ ...current, ...filter, groupBy: 'none' as const, page: 1 })}
                {...props}
              />
            )}
          >
            {label}
          </Anchor>
        )}
      </div>
    </Group>
  );
}

const numberColumns: Column<LabelledGroup>[] = [
  { key: 'requests', header: 'Requests', render: ({ totals }) => formatCount(totals.requests), align: 'right' },
  {
    key: 'failures',
    header: 'Failed',
    render: ({ totals: { failures, requests } }) =>
      failures > 0 ? `${formatCount(failures)} (${formatShare(failures, requests)})` : '0',
    align: 'right',
    visibleFrom: 'xs',
    whenHidden: ({ totals: { failures, requests } }) =>
      failures > 0 ? `${formatShare(failures, requests)} failed` : null,
  },
  {
    key: 'limited',
    header: 'Rejected by a limit',
    // Of a model, only rejections after it was read are known.
    render: ({ model, totals }) => (model !== undefined && totals.limited === 0 ? '–' : formatCount(totals.limited)),
    align: 'right',
    visibleFrom: 'sm',
    whenHidden: ({ totals: { limited } }) => (limited > 0 ? `${formatCount(limited)} rejected by a limit` : null),
  },
];

/** Parts of other amounts need a wide window. */
const meterColumn = (meter: Meter): Column<LabelledGroup> => {
  const { name, title, partOf } = meter;
  return {
    key: name,
    header: title,
    render: ({ totals }) => formatCount(totals[name]),
    align: 'right',
    visibleFrom: partOf === undefined ? 'md' : 'xl',
    whenHidden: ({ totals }) => (totals[name] > 0 ? describeAmount(totals[name], meter) : null),
  };
};

/** Such as "1 output token". */
function describeAmount(amount: number, { title, unit }: Meter): string {
  const name = title.toLowerCase();
  return `${formatCount(amount)} ${amount === 1 ? name.replace(`${unit}s`, unit) : name}`;
}

/** Models without a price have no cost. The cost of other groups says how many requests it leaves out. */
function costColumn(format: (amount: number) => string): Column<LabelledGroup> {
  return {
    key: 'cost',
    header: 'Cost',
    render: ({ totals }) => (
      <>
        {formatOptional(costOf(totals), format)}
        {totals.cost !== null && totals.unpricedRequests > 0 && (
          <Text size="xs" c="dimmed">
            Excludes {pluralize(totals.unpricedRequests, 'request')}
          </Text>
        )}
      </>
    ),
    align: 'right',
    visibleFrom: 'md',
    whenHidden: ({ totals }) => {
      const cost = costOf(totals);
      if (cost === null) return null;
      const { unpricedRequests } = totals;
      return unpricedRequests > 0 ? `${format(cost)} without ${pluralize(unpricedRequests, 'request')}` : format(cost);
    },
  };
}
