import { Anchor, ColorSwatch, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { formatCount, formatMilliseconds, formatOptional, formatShare } from '../../lib/format-numbers.js';
import classes from './charts/Charts.module.css';
import type { LabelledGroup } from './charts/series.js';

interface UsageGroupsProps {
  groupBy: 'apiKey' | 'model';
  groups: LabelledGroup[];
}

/** The usage of each key or model. Names link to its usage; swatches match the colors of the charts. */
export function UsageGroups({ groupBy, groups }: UsageGroupsProps) {
  const title = groupBy === 'apiKey' ? 'By key' : 'By model';
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <DataTable
        label={title}
        columns={[{ key: 'name', header: groupBy === 'apiKey' ? 'Key' : 'Model', render: Name }, ...numberColumns]}
        rows={groups}
        rowKey={({ key }) => key}
        empty={null}
      />
    </Paper>
  );
}

function Name({ key, label, apiKeyId, model }: LabelledGroup) {
  const filter = apiKeyId === undefined ? { model } : { apiKeyId };
  const isOthers = apiKeyId === undefined && model === undefined;
  return (
    <Group gap="sm" wrap="nowrap">
      <ColorSwatch color={`var(--${key})`} size={12} withShadow={false} />
      {isOthers ? (
        <Text size="sm" c="dimmed">
          {label}
        </Text>
      ) : (
        <Anchor
          c="inherit"
          fz="sm"
          fw={500}
          className={classes.name}
          renderRoot={(props) => (
            <Link
              to="/dashboard/usage"
              search={(current) => ({ ...current, ...filter, groupBy: 'none' as const })}
              {...props}
            />
          )}
        >
          {label}
        </Anchor>
      )}
    </Group>
  );
}

const numberColumns: Column<LabelledGroup>[] = [
  { key: 'requests', header: 'Requests', render: ({ totals }) => formatCount(totals.requests), align: 'right' },
  {
    key: 'failures',
    header: 'Failures',
    render: ({ totals: { failures, requests } }) => formatShare(failures, requests),
    align: 'right',
    visibleFrom: 'xs',
  },
  {
    key: 'limited',
    header: 'Limited',
    render: ({ totals }) => formatCount(totals.limited),
    align: 'right',
    visibleFrom: 'sm',
  },
  {
    key: 'inputTokens',
    header: 'Input tokens',
    render: ({ totals }) => formatCount(totals.inputTokens),
    align: 'right',
    visibleFrom: 'md',
  },
  {
    key: 'pages',
    header: 'Pages',
    render: ({ totals }) => formatCount(totals.pages),
    align: 'right',
    visibleFrom: 'md',
  },
  {
    key: 'p95Milliseconds',
    header: '95th percentile',
    render: ({ totals: { p95Milliseconds } }) => formatOptional(p95Milliseconds, formatMilliseconds),
    align: 'right',
    visibleFrom: 'md',
  },
];
