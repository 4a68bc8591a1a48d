import { isBudget } from '@rules/limit-rules.js';
import { Group, Progress, Stack, Text, Tooltip } from '@mantine/core';
import type { LimitState } from '../../api/schema.js';
import { useTimeText } from '../../hooks/use-now.js';
import { formatCount } from '../../lib/format-numbers.js';
import { exactTime } from '../../lib/format-time.js';
import { describeLimit, describeReset, describeUse } from './limits.js';

const highShare = 0.8;

/** A bar for each limit that shows how much of it is used, how much is left, and how and when it's available again. */
export function LimitBars({ limits }: { limits: LimitState[] }) {
  return (
    <Stack gap="lg">
      {limits.map((limit) => (
        <LimitBar key={`${limit.metric} ${limit.per}`} limit={limit} />
      ))}
      {limits.some(({ metric }) => metric === 'requests') && (
        <Text size="xs" c="dimmed">
          Limits on requests also count model lists and requests without a known model, which aren&apos;t part of usage.
        </Text>
      )}
    </Stack>
  );
}

function LimitBar({ limit }: { limit: LimitState }) {
  const { max, used, remaining } = limit;
  const name = describeLimit(limit);
  return (
    <div role="group" aria-label={name}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Text size="sm" fw={500}>
          {name}
        </Text>
        <Text size="sm">{formatCount(remaining)} left</Text>
      </Group>
      <Progress
        aria-label={`Used share of ${name}`}
        value={toPercent(used / max)}
        color={remaining === 0 ? 'red' : used >= max * highShare ? 'orange' : undefined}
      />
      <Group justify="space-between" gap="xs" mt={6} c="dimmed">
        <Text size="xs">{isBudget(limit) ? describeUse(limit) : 'Refills continuously'}</Text>
        <ResetTime limit={limit} />
      </Group>
    </div>
  );
}

/** Rounded, because screen readers read it out. */
function toPercent(share: number): number {
  return Math.min(100, Math.round(share * 1000) / 10);
}

function ResetTime({ limit }: { limit: LimitState }) {
  const text = useTimeText((now) => describeReset(limit, now) ?? '');
  if (text === '') return null;
  return (
    <Tooltip label={exactTime(limit.resetsAt)}>
      <Text size="xs" component="time" dateTime={limit.resetsAt}>
        {text}
      </Text>
    </Tooltip>
  );
}
