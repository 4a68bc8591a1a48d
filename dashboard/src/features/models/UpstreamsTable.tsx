import { ColorSwatch, Group, Text } from '@mantine/core';
import type { ModelUpstream } from '../../api/schema.js';
import { type Column, DataTable } from '../../ui/DataTable.js';
import { Time } from '../../ui/Time.js';
import { formatMilliseconds, formatOptional, formatShare } from '../../lib/format-numbers.js';

/** The upstreams of a model and their health. */
export function UpstreamsTable({ model, upstreams }: { model: string; upstreams: ModelUpstream[] }) {
  const rows = upstreams.map((upstream, index) => ({ ...upstream, index }));
  return (
    <>
      <DataTable
        label={`Upstreams of ${model}`}
        columns={columns}
        rows={rows}
        rowKey={({ index }) => String(index)}
        empty={null}
      />
      <Text size="xs" c="dimmed" mt="xs">
        Health as seen by the replica that served this page, since it started. Other replicas may differ.
      </Text>
    </>
  );
}

const circuits = {
  closed: { label: 'Healthy', color: 'teal' },
  'half-open': { label: 'Recovering', color: 'yellow' },
  open: { label: 'Paused after failures', color: 'red' },
};

function Health({ circuit, lastError }: ModelUpstream) {
  const { label, color } = circuits[circuit];
  return (
    <>
      <Group gap={6} wrap="nowrap">
        <ColorSwatch color={`var(--mantine-color-${color}-filled)`} size={10} withShadow={false} />
        <Text size="sm">{label}</Text>
      </Group>
      {lastError !== null && (
        <Text size="xs" c="dimmed" component="div">
          {lastError.reason}, <Time at={lastError.at} />
        </Text>
      )}
    </>
  );
}

const columns: Column<ModelUpstream>[] = [
  {
    key: 'host',
    header: 'Upstream',
    render: ({ host, model }) => (
      <>
        <Text size="sm" fw={500}>
          {host}
        </Text>
        <Text size="xs" c="dimmed">
          {model}
        </Text>
      </>
    ),
    breaksWords: true,
    isName: true,
  },
  { key: 'health', header: 'Health', render: (upstream) => <Health {...upstream} /> },
  {
    key: 'share',
    header: 'Share',
    render: ({ share }) => formatShare(share, 1),
    align: 'right',
    visibleFrom: 'sm',
    whenHidden: ({ share }) => `Share ${formatShare(share, 1)}`,
  },
  {
    key: 'p95Milliseconds',
    header: 'Latency, 95th percentile',
    render: ({ p95Milliseconds }) => formatOptional(p95Milliseconds, formatMilliseconds),
    align: 'right',
    visibleFrom: 'sm',
    whenHidden: ({ p95Milliseconds }) =>
      p95Milliseconds === null ? null : `95th percentile ${formatMilliseconds(p95Milliseconds)}`,
  },
];
