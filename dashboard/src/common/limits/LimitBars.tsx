import { Stack, Text } from '@mantine/core';
import type { ApiKeyDetails, LimitState } from '../../api/schema.js';
import { useMe } from '../../session/me.js';
import { describeCalendar } from './describe-limit.js';
import { explainsForecast } from './forecast-note.js';
import { forecastMethod, isMonthlyBudget } from './monthly-forecast.js';
import { LimitBar } from './LimitBar.js';
import { useCurrency } from './use-currency.js';
import { useExpectedRest } from './use-expected-rest.js';

interface LimitBarsProps {
  limits: LimitState[];
  /** The limited key; undefined for organizations. */
  apiKey?: Pick<ApiKeyDetails, 'id' | 'createdAt'>;
}

/** A bar for each limit that shows how much of it is used, how much is left, and how and when it's available again. */
export function LimitBars({ limits, apiKey }: LimitBarsProps) {
  const currency = useCurrency();
  const expectedRest = useExpectedRest(
    apiKey === undefined ? {} : { apiKeyId: [apiKey.id], since: Date.parse(apiKey.createdAt) },
    limits.some(isMonthlyBudget),
  );
  const calendar = describeCalendar(limits, useMe().organization.timeZone);
  return (
    <Stack gap="lg">
      {limits.map((limit) => (
        <LimitBar
          key={JSON.stringify([limit.metric, limit.per, limit.models])}
          limit={limit}
          currency={currency}
          createdAt={apiKey?.createdAt}
          expectedRest={expectedRest}
          showsAlerts
        />
      ))}
      {calendar !== undefined && (
        <Text size="xs" c="dimmed">
          {calendar}
        </Text>
      )}
      {expectedRest !== undefined && explainsForecast(limits) && (
        <Text size="xs" c="dimmed">
          {forecastMethod}
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
