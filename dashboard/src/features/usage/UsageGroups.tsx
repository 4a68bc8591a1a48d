import { Anchor, Box, ColorSwatch, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { UsageTotals } from '../../api/schema.js';
import { useLastPageRedirect } from '../../hooks/use-last-page-redirect.js';
import { DataTable } from '../../ui/DataTable.js';
import { ErrorAlert } from '../../ui/ErrorAlert.js';
import { PersonAvatar } from '../../ui/PersonAvatar.js';
import type { Sort } from '../../ui/SortableHeader.js';
import { TablePagination } from '../../ui/TablePagination.js';
import classes from './charts/Charts.module.css';
import { avatarOf, type LabelledGroup, labelGroups, othersKey, totalKey } from './charts/series.js';
import type { TableStart } from './compare-with-previous.js';
import { costsOf, groupColumns } from './group-columns.js';
import type { Measure } from './measures.js';
import { RoundingNote } from './RoundingNote.js';
import {
  type GroupName,
  type GroupSort,
  selectionOf,
  type UsageFilter,
  type UsageSearch,
  usageSearchDefaults,
} from './search.js';
import { groupsPageQuery, sortOf } from './usage.js';
import { noTimes } from './usage-totals.js';

interface UsageGroupsProps {
  groupBy: GroupName;
  search: UsageSearch;
  measures: readonly Measure[];
  /** The measure of the chart. */
  measure: Measure;
  /** Of all groups; undefined while they load. */
  totals: UsageTotals | undefined;
  /** Of the period before; undefined if it isn't compared. */
  previousTotals: UsageTotals | undefined;
  /** Says which part of the period before has data; undefined if all of it has. */
  changeNote: string | undefined;
  /** When the usage of all groups began. */
  start: TableStart;
  /** Whether several models were used, whose times have no total. */
  hasModels: boolean;
  /** The groups in the chart, which have colors. */
  charted: LabelledGroup[];
  onChange: (change: Partial<UsageSearch>) => void;
}

const titles: Record<GroupName, { title: string; header: string }> = {
  model: { title: 'By model', header: 'Model' },
  apiKey: { title: 'By key', header: 'Key' },
  tag: { title: 'By tag', header: 'Tag' },
  creator: { title: 'By person', header: 'Person' },
};

/**
 * The usage of all keys, models, tags or people, page by page, by default those with the most of the measure first, and their
 * total. Names link to their usage; swatches match the colors of the chart.
 */
export function UsageGroups({
  groupBy,
  search,
  measures,
  measure,
  totals,
  charted,
  changeNote,
  start,
  onChange,
  ...all
}: UsageGroupsProps) {
  const { page, perPage } = search;
  const isCompared = all.previousTotals !== undefined;
  const { data, error, refetch, isPlaceholderData } = useQuery(groupsPageQuery(groupBy, search, isCompared));
  const total = data === undefined ? undefined : data.groups.length + (data.others?.groupCount ?? 0);
  useLastPageRedirect({ page, perPage, total: isPlaceholderData ? undefined : total }, (last) =>
    onChange({ page: last, perPage }),
  );
  const { title, header } = titles[groupBy];
  // The rows of an earlier search stay until others are loaded.
  const { tagPrefix, selection } = data ?? { ...search, selection: undefined };
  const rows = data && labelGroups({ groupBy: data.groupBy, groups: data.groups }, tagPrefix);
  const shownTotals = selection === selectionOf(search) ? totals : undefined;
  const sort: Sort<GroupSort> = { orderBy: search.orderBy ?? sortOf(measure.key), order: search.order ?? 'DESC' };
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {groupBy === 'tag' && (
        <Text size="sm" c="dimmed" mb="xs">
          {tagPrefix === undefined
            ? 'A key with several tags counts for each, so the rows add up to more than the total, which has each request once.'
            : `Only tags that start with “${tagPrefix}”. A key with several of them counts for each, and once in the total.`}{' '}
          Past usage counts for the tags its key has now.
        </Text>
      )}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      <Box opacity={isPlaceholderData ? 0.6 : 1}>
        <DataTable<LabelledGroup, GroupSort>
          label={title}
          columns={[
            {
              key: 'name',
              header,
              sortKey: 'name',
              render: (group) => <Name group={group} color={colorOf(group, charted)} />,
              breaksWords: true,
              isName: true,
            },
            ...groupColumns(measures, measure, shownTotals, rows ?? [], isCompared ? start : undefined),
          ]}
          rows={rows}
          total={
            rows !== undefined && rows.length > 0 && total !== 1 && shownTotals !== undefined
              ? totalRow({ ...all, totals: shownTotals }, rows.length === total ? 'Total' : 'Total of all pages')
              : undefined
          }
          rowKey={({ label, apiKeyId, creator }) => apiKeyId ?? creator?.id ?? label}
          empty={null}
          sort={sort}
          onSort={(chosen) => onChange(startingDescending(chosen, sort))}
          skeletonRows={Math.min(perPage, 3)}
        />
      </Box>
      {shownTotals !== undefined && changeNote !== undefined && (
        <Text size="xs" c="dimmed" mt="xs">
          {changeNote}
        </Text>
      )}
      {rows !== undefined && rows.length > 1 && (
        <RoundingNote
          amounts={costsOf(rows, shownTotals)}
          currency={measures.find(({ kind }) => kind === 'cost')?.currency}
        />
      )}
      {total !== undefined && total > Math.min(perPage, usageSearchDefaults.perPage) && (
        <TablePagination {...{ page, perPage, total }} onChange={onChange} />
      )}
    </Paper>
  );
}

/** The total of the selection, which isn't the sum of the rows if a key is in several. */
function totalRow(
  {
    totals,
    previousTotals,
    hasModels,
  }: { totals: UsageTotals } & Pick<UsageGroupsProps, 'previousTotals' | 'hasModels'>,
  label: string,
): LabelledGroup {
  const shown = (usage: UsageTotals) => (hasModels ? { ...usage, ...noTimes } : usage);
  return {
    ...{ key: totalKey, label, totals: shown(totals), points: [] },
    ...(previousTotals && { previousTotals: shown(previousTotals) }),
  };
}

/** The most comes first when another amount is chosen. */
function startingDescending(chosen: Sort<GroupSort>, current: Sort<GroupSort>): Sort<GroupSort> {
  const isNew = chosen.orderBy !== current.orderBy && chosen.orderBy !== 'name';
  return isNew ? { ...chosen, order: 'DESC' } : chosen;
}

/** Groups that aren't in the chart have the color of all others combined. Undefined if the chart isn't split. */
function colorOf({ key, apiKeyId, model, tag, creator }: LabelledGroup, charted: LabelledGroup[]): string | undefined {
  if (charted.length < 2 || key === totalKey) return undefined;
  const inChart = charted.find(
    (group) =>
      group.key !== othersKey &&
      group.apiKeyId === apiKeyId &&
      group.model === model &&
      group.tag === tag &&
      group.creator?.id === creator?.id,
  );
  return inChart?.key ?? othersKey;
}

function Name({
  group: { label, apiKeyId, model, tag, creator },
  color,
}: {
  group: LabelledGroup;
  color?: string | undefined;
}) {
  const filter: UsageFilter = {
    ...(apiKeyId !== undefined && { apiKeyId: [apiKeyId] }),
    ...(model !== undefined && { model: [model] }),
    ...(tag !== undefined && { tag: [tag] }),
    ...(creator && { creatorId: [creator.id] }),
  };
  return (
    <Group gap="sm" wrap="nowrap">
      {color !== undefined && <ColorSwatch color={`var(--${color})`} size={12} withShadow={false} />}
      {creator !== undefined && <PersonAvatar {...avatarOf(creator)} />}
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
