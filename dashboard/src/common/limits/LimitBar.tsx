import { Badge, Group, Progress, Text, Tooltip } from '@mantine/core';
import { IconTrendingUp } from '@tabler/icons-react';
import { isBudget } from '@rules/limit-rules.js';
import type { LimitState } from '../../api/schema.js';
import { useNow, useTimeText } from '../../hooks/use-now.js';
import { exactTime } from '../../lib/format-time.js';
import { formatAmount, toUnits } from './amounts.js';
import { describeCurrentLimit } from './describe-increase.js';
import { describeAlerts, describeReset, describeShare, describeUse } from './describe-limit.js';
import { forecastBudget } from './limit-forecast.js';
import { currentMax, type Level, levelOf } from './limit-level.js';

interface LimitBarProps {
  limit: LimitState;
  currency: string | undefined;
  /** When the limited key was created; ISO 8601. Undefined for organizations. */
  createdAt?: string | undefined;
  /** What the rest of the month will probably cost, in billionths. */
  expectedRest?: bigint | undefined;
  /** Whether it says at which percentages of a budget there are alerts. */
  showsAlerts?: boolean;
}

const colors: Record<Level, string | undefined> = { normal: undefined, high: 'orange', full: 'red' };

/** What is used of a limit, as a bar and as text. */
export function LimitBar({ limit, currency, showsAlerts = false, ...basis }: LimitBarProps) {
  const { metric, used } = limit;
  const name = describeCurrentLimit(limit, currency);
  const level = levelOf(limit);
  const [usedUnits, max] = [toUnits(metric, used), currentMax(limit)];
  return (
    <div role="group" aria-label={name}>
      <Group justify="space-between" gap="xs" mb={6}>
        <Group gap="xs">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <LevelBadge level={level} names={isBudget(limit) ? budgetLevels : limitLevels} />
        </Group>
        <Text size="sm">{describeRemaining(limit, max, currency)}</Text>
      </Group>
      <Group gap="sm" wrap="nowrap">
        <Progress
          flex={1}
          aria-label={`Used share of ${name}`}
          value={toPercent(usedUnits, max)}
          color={colors[level]}
        />
        <Text size="xs" miw={36} ta="right">
          {describeShare(usedUnits, max)}
        </Text>
      </Group>
      <Group justify="space-between" gap="xs" mt={6} c="dimmed">
        <Text size="xs">{describeState(limit, currency)}</Text>
        <ResetTime limit={limit} />
      </Group>
      {showsAlerts && isBudget(limit) && (
        <Text size="xs" mt={2} c="dimmed">
          {describeAlerts(limit)}
        </Text>
      )}
      <Forecast limit={limit} currency={currency} {...basis} />
    </div>
  );
}

type LevelNames = Record<Exclude<Level, 'normal'>, string>;
const budgetLevels: LevelNames = { high: 'Almost used up', full: 'Budget used up' };
const limitLevels: LevelNames = { high: 'Almost reached', full: 'Limit reached' };

function LevelBadge({ level, names }: { level: Level; names: LevelNames }) {
  if (level === 'normal') return null;
  return (
    // The color alone has too little contrast with its background.
    <Badge size="sm" variant="light" color={colors[level]} c="var(--mantine-color-text)">
      {names[level]}
    </Badge>
  );
}

function describeRemaining({ metric, used, remaining }: LimitState, max: bigint, currency: string | undefined): string {
  if (metric === 'concurrency') return `${formatAmount(metric, used, currency)} of ${max} running`;
  return `${formatAmount(metric, remaining, currency)} left`;
}

function describeState(limit: LimitState, currency: string | undefined): string {
  if (limit.metric === 'concurrency') return 'Counts requests that run at the same time';
  return isBudget(limit) ? describeUse(limit, currency) : 'Refills continuously';
}

/** Rounded, because screen readers read it out. */
function toPercent(used: bigint, max: bigint): number {
  return max === 0n ? 100 : Math.min(100, Math.round((Number(used) / Number(max)) * 1000) / 10);
}

function ResetTime({ limit }: { limit: LimitState }) {
  const text = useTimeText((now) => describeReset(limit, now) ?? '');
  if (text === '' || limit.resetsAt === null) return null;
  return (
    <Tooltip label={exactTime(limit.resetsAt)}>
      <Text size="xs" component="time" dateTime={limit.resetsAt}>
        {text}
      </Text>
    </Tooltip>
  );
}

/** How much is used when the period ends. */
function Forecast({ limit, currency, createdAt, expectedRest }: LimitBarProps) {
  const forecast = forecastBudget(limit, useNow(), currency, {
    ...(createdAt !== undefined && { createdAt: Date.parse(createdAt) }),
    expectedRest,
  });
  if (forecast === undefined) return null;
  const { text, isTooMuch } = forecast;
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" mt={2} c={isTooMuch ? 'var(--mantine-color-error)' : 'dimmed'}>
      <IconTrendingUp size={14} aria-hidden style={{ flexShrink: 0, marginTop: 1 }} />
      <Text size="xs" fw={isTooMuch ? 500 : undefined}>
        {text}
      </Text>
    </Group>
  );
}
