import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { LimitState, Overview, RecentUsage } from '../../api/schema.js';
import {
  describeRejection,
  describeExcess,
  describeUsedUp,
  explainDifference,
  formatBudget,
  monthlyBudget,
  nameMonth,
} from '../../common/limits/month-cost.js';
import { forecastMethod } from '../../common/limits/monthly-forecast.js';
import { monthOf } from '../../lib/calendar-month.js';
import { formatCostFigure, pluralize } from '../../lib/format-numbers.js';
import { compareMonths, type MonthComparison } from './compare-months.js';
import { type Measure, shownMeasures } from './measures.js';
import { Sparkline } from './Sparkline.js';
import classes from './UsageFigures.module.css';

const hourMilliseconds = 3_600_000;
const dayMilliseconds = 24 * hourMilliseconds;

type OverviewWithUsage = Overview & Required<Pick<Overview, 'today' | 'month'>>;

/** Requests, failures, tokens and costs of today and the current month. */
export function UsageFigures({ overview }: { overview: OverviewWithUsage }) {
  const { today, month, timeZone, limits, currency } = overview;
  const budget = monthlyBudget(limits);
  const hasCosts = month.totals.cost !== null || budget !== undefined;
  const measures = shownMeasures(hasCosts);
  const isUsedUp = budget !== undefined && describeUsedUp(month.totals.cost, budget, currency) !== undefined;
  const difference = budget && explainDifference(month.totals.cost, budget, currency);
  const [start, end] = [Date.parse(month.from), Date.parse(month.to)];
  const name = nameMonth({ start, end }, timeZone);
  // Of its middle, which is in the same month everywhere.
  const calendarMonth = monthOf(new Date((start + end) / 2));
  const comparison = compareMonths(overview, calendarMonth);
  return (
    <Paper withBorder p="lg" component="section" aria-labelledby="overview-usage">
      <Group justify="space-between" mb="md" gap="xs">
        <Title order={2} size="h4" id="overview-usage">
          Usage
        </Title>
        <Group gap="md">
          {(['creator', 'model'] as const).map((groupBy) => (
            <Anchor
              key={groupBy}
              size="sm"
              renderRoot={(props) => (
                <Link to="/dashboard/usage" search={{ month: calendarMonth, groupBy }} {...props} />
              )}
            >
              {groupBy === 'creator' ? 'By person' : 'By model'}
            </Anchor>
          ))}
          <Anchor
            size="sm"
            renderRoot={(props) => <Link to="/dashboard/usage" search={{ month: calendarMonth }} {...props} />}
          >
            View usage
          </Anchor>
        </Group>
      </Group>
      {month.totals.requests === 0 ? (
        <Text size="sm" c="dimmed">
          No requests in {name} yet.
        </Text>
      ) : (
        <>
          <div className={classes.periods}>
            <Period name="Today" unit="hour" usage={today} measures={measures} currency={currency} />
            <Period name={name} unit="day" usage={month} compare={comparison.describe} {...{ measures, currency }}>
              <CostForecast overview={overview} budget={budget} />
            </Period>
          </div>
          <Notes
            timeZone={timeZone}
            comparison={comparison.note}
            unpricedRequests={hasCosts ? month.totals.unpricedRequests : 0}
          />
          {difference !== undefined && (
            <Text size="xs" c="dimmed" mt="xs">
              {difference}
            </Text>
          )}
          {hasCosts && !isUsedUp && typeof overview.costForecast === 'string' && (
            <Text size="xs" c="dimmed" mt="xs">
              {forecastMethod}
            </Text>
          )}
        </>
      )}
    </Paper>
  );
}

interface PeriodProps {
  /** Such as "Today" or "November". */
  name: string;
  unit: 'hour' | 'day';
  usage: RecentUsage;
  measures: Measure[];
  currency: string;
  /** Describes the change of a figure since the period before. */
  compare?: MonthComparison['describe'];
  /** Shown below the cost. */
  children?: ReactNode;
}

function Period({ name, unit, usage, measures, currency, compare, children }: PeriodProps) {
  const { from, to, totals, points } = usage;
  const length = unit === 'hour' ? hourMilliseconds : dayMilliseconds;
  const count = Math.round((Date.parse(to) - Date.parse(from)) / length);
  return (
    <section className={classes.period} aria-label={name}>
      <Text size="xs" fw={600} c="dimmed" mb="xs" component="h3" m={0}>
        {name}
      </Text>
      <div className={classes.figures}>
        {measures.map((measure) => (
          <div key={measure.label} role="group" aria-label={`${measure.label}, ${name}`} className={classes.figure}>
            <div className={classes.text}>
              <Text size="sm" c="dimmed">
                {measure.label}
              </Text>
              <Text fz={22} fw={600} lh={1.3} className={classes.value}>
                {measure.format(totals, currency)}
              </Text>
              <FigureNote text={measure.note?.(totals)} />
              {measure.label === 'Cost' && children}
              <FigureNote text={compare?.(measure, totals)} />
            </div>
            <Sparkline
              label={describeSeries(measure, unit, points.map(measure.valueOf), currency)}
              values={points.map(measure.valueOf)}
              count={count}
              isWarning={measure.isWarning === true}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

function FigureNote({ text }: { text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      {text}
    </Text>
  );
}

/** Such as "Requests by day, at most 1,200". */
function describeSeries({ label, formatValue }: Measure, unit: string, values: number[], currency: string): string {
  const highest = Math.max(...values, 0);
  return `${label} by ${unit}, ${highest === 0 ? 'none yet' : `at most ${formatValue(highest, currency)}`}`;
}

/** What the month will probably cost, compared with the budget. None while the budget rejects requests. */
function CostForecast({ overview, budget }: { overview: OverviewWithUsage; budget: LimitState | undefined }) {
  const { month, currency, timeZone } = overview;
  const forecast = overview.costForecast ?? undefined;
  const period = { start: Date.parse(month.from), end: Date.parse(month.to) };
  const cost = forecast && formatCostFigure(Number(forecast), currency);
  const usedUp = budget && describeUsedUp(month.totals.cost, budget, currency);
  if (usedUp !== undefined) {
    return (
      <>
        <BudgetWarning>{usedUp}</BudgetWarning>
        <FigureNote text={budget && describeRejection(budget, timeZone)} />
      </>
    );
  }
  const excess = forecast && budget && describeExcess(forecast, budget, period, currency);
  if (excess !== undefined) {
    return (
      <BudgetWarning>
        Forecast: {cost}, {excess}
      </BudgetWarning>
    );
  }
  return (
    <Text size="xs" c="dimmed">
      {cost === undefined ? 'No forecast yet' : `Forecast: ${cost}`}
      {budget !== undefined && ` of ${formatBudget(budget, currency)} budget`}
    </Text>
  );
}

/** Color isn't the only sign of too much. */
function BudgetWarning({ children }: { children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" c="var(--mantine-color-error)">
      <IconAlertTriangle size={14} aria-hidden style={{ flexShrink: 0, marginTop: 2 }} />
      <Text size="xs">{children}</Text>
    </Group>
  );
}

interface NotesProps {
  timeZone: string;
  comparison: string;
  unpricedRequests: number;
}

function Notes({ timeZone, comparison, unpricedRequests }: NotesProps) {
  const notes = [
    `Days begin at midnight in ${timeZone}.`,
    comparison,
    ...(unpricedRequests > 0 ? [`Cost excludes ${pluralize(unpricedRequests, 'request')} without a price.`] : []),
  ];
  return (
    <Text size="xs" c="dimmed" mt="md">
      {notes.join(' ')}
    </Text>
  );
}
