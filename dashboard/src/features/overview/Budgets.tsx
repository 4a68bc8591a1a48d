import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { LimitState } from '../../api/schema.js';
import { describeCalendar } from '../../common/limits/describe-limit.js';
import { LimitBar } from '../../common/limits/LimitBar.js';
import { LimitsLink } from './AttentionLinks.js';

interface BudgetsProps {
  budgets: LimitState[];
  currency: string;
  /** Of the organization. */
  timeZone: string;
  /** What the rest of the month will probably cost, in billionths. */
  expectedRest: bigint | undefined;
}

/** What is used of the organization's budgets, with forecasts. */
export function Budgets({ budgets, currency, timeZone, expectedRest }: BudgetsProps) {
  const calendar = describeCalendar(budgets, timeZone);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="overview-budgets">
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id="overview-budgets">
          Budgets
        </Title>
        <LimitsLink />
      </Group>
      <Stack gap="lg">
        {budgets.map((limit) => (
          <LimitBar
            key={JSON.stringify([limit.metric, limit.per, limit.models])}
            {...{ limit, currency, expectedRest }}
          />
        ))}
        {calendar !== undefined && (
          <Text size="xs" c="dimmed">
            {calendar}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
