import { Stack, Text } from '@mantine/core';
import type { LimitState } from '../../api/schema.js';
import { useMe } from '../../session/me.js';
import { describeCalendar } from './describe-limit.js';
import { LimitBar } from './LimitBar.js';
import { useCurrency } from './use-currency.js';

interface LimitBarsProps {
  limits: LimitState[];
  /** When the limited key was created; ISO 8601. Undefined for organizations. */
  createdAt?: string;
}

/** A bar for each limit that shows how much of it is used, how much is left, and how and when it's available again. */
export function LimitBars({ limits, createdAt }: LimitBarsProps) {
  const currency = useCurrency();
  const calendar = describeCalendar(limits, useMe().organization.timeZone);
  return (
    <Stack gap="lg">
      {limits.map((limit) => (
        <LimitBar
          key={JSON.stringify([limit.metric, limit.per, limit.models])}
          limit={limit}
          currency={currency}
          createdAt={createdAt}
          showsAlerts
        />
      ))}
      {calendar !== undefined && (
        <Text size="xs" c="dimmed">
          {calendar}
        </Text>
      )}
      {limits.some(({ metric }) => metric === 'requests') && (
        <Text size="xs" c="dimmed">
          Limits on requests also count model lists and requests without a known model, which aren&apos;t part of usage.
        </Text>
      )}
    </Stack>
  );
}
