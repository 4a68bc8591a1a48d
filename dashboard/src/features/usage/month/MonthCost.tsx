import { Group, Paper, SimpleGrid, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OrganizationDetails } from '../../../api/schema.js';
import { currentOrganizationQuery } from '../../../common/organizations/organizations.js';
import { formatCost, formatCostFigure, pluralize } from '../../../lib/format-numbers.js';
import { localTimeZone } from '../../../lib/time-zone.js';
import {
  describeBudget,
  forecastMonth,
  formatBudget,
  monthlyBudget,
  nameMonth,
} from '../../../common/limits/month-cost.js';
import { monthUsageQuery } from './month-usage.js';

/** What the current month costs so far and, at this rate, at its end. Hidden without costs and without a budget. */
export function MonthCost() {
  const { data } = useQuery(currentOrganizationQuery);
  return data === undefined ? null : <CostOfMonth organization={data} />;
}

function CostOfMonth({ organization: { timeZone, limits } }: { organization: OrganizationDetails }) {
  const { data } = useQuery(monthUsageQuery(timeZone));
  const budget = monthlyBudget(limits);
  if (data === undefined || (data.totals.cost === null && budget === undefined)) return null;
  const { totals, currency, month, now } = data;
  const cost = totals.cost ?? '0';
  const forecast = forecastMonth(totals.cost, month, now);
  const name = nameMonth(month, timeZone);
  const excluded = totals.unpricedRequests;
  const notes = [
    ...(timeZone === localTimeZone() ? [] : [`Time zone of the organization: ${timeZone}`]),
    ...(excluded > 0 ? [`Excludes ${pluralize(excluded, 'request')} without a price`] : []),
  ];
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label="Cost of the current month">
      <SimpleGrid cols={{ base: 1, xs: budget === undefined ? 2 : 3 }} spacing="md">
        <Figure
          label={`Cost in ${name} so far`}
          value={formatCostFigure(Number(cost), currency)}
          title={formatCost(Number(cost), currency)}
        >
          {notes.map((note) => (
            <Text key={note} size="xs" c="dimmed">
              {note}
            </Text>
          ))}
        </Figure>
        <Figure
          label={`Forecast for ${name}`}
          value={forecast === undefined ? '–' : formatCostFigure(Number(forecast), currency)}
        >
          <Text size="xs" c="dimmed">
            {forecast === undefined ? 'No forecast yet' : 'At the current pace'}
          </Text>
        </Figure>
        {budget !== undefined && (
          <Figure label="Monthly budget" value={formatBudget(budget, currency)}>
            <Comparison {...describeBudget(budget, forecast, month)} />
          </Figure>
        )}
      </SimpleGrid>
    </Paper>
  );
}

interface FigureProps {
  label: string;
  value: string;
  /** The full value, if `value` may be shortened. */
  title?: string;
  children: ReactNode;
}

function Figure({ label, value, title, children }: FigureProps) {
  return (
    <div role="group" aria-label={label}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text fz={20} fw={600} lh={1.3} title={title} style={{ whiteSpace: 'nowrap' }}>
        {value}
      </Text>
      {children}
    </div>
  );
}

/** Color isn't the only sign of a budget that won't last. */
function Comparison({ text, isTooMuch }: { text: string; isTooMuch: boolean }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" c={isTooMuch ? 'var(--mantine-color-error)' : 'dimmed'}>
      {isTooMuch && <IconAlertTriangle size={14} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />}
      <Text size="xs">{text}</Text>
    </Group>
  );
}
