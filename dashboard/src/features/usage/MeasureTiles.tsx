import { Skeleton, Text } from '@mantine/core';
import { useId } from 'react';
import { formatOptional } from '../../lib/format-numbers.js';
import { forecastMethod } from '../../common/limits/monthly-forecast.js';
import { describeUsedUp, explainDifference, formatBudget } from '../../common/limits/month-cost.js';
import { useExpectedRest } from '../../common/limits/use-expected-rest.js';
import { compareWithPrevious, figureOf } from './compare-with-previous.js';
import { describeCost, hasForecast, type MonthBudget } from './describe-cost.js';
import type { MeasureKey } from './measure-keys.js';
import { isByModel, type Measure } from './measures.js';
import classes from './MeasureTiles.module.css';
import { filterOf, selectionOf, type UsageFilter, type UsageRange } from './search.js';
import type { Usage } from './usage.js';

interface MeasureTilesProps {
  usage: Usage;
  measures: readonly Measure[];
  search: UsageRange & UsageFilter;
  /** For the costs of the period. */
  budget: MonthBudget | undefined;
  /** Whether the page says above how months are forecast. */
  isForecastExplained?: boolean | undefined;
  /** Key of the measure that is shown. */
  selected: MeasureKey;
  onSelect: (measure: MeasureKey) => void;
}

/** The budget may have been read a while before or after the usage. */
const leastShare = 0.02;

/** The totals of the range compared with the one before. Each selects the measure of the chart. */
export function MeasureTiles({
  measures,
  isForecastExplained = false,
  selected,
  onSelect,
  ...shown
}: MeasureTilesProps) {
  const name = useId();
  const { usage, budget } = shown;
  const rest = useRest(shown);
  const hasCost = measures.some(({ key }) => key === 'cost');
  const notes = [
    budget && explainDifference(usage.totals.cost, budget.limit, usage.currency, leastShare),
    rest === undefined || isForecastExplained ? undefined : forecastMethod,
  ];
  return (
    <>
      <div role="radiogroup" aria-label="Measure" className={classes.tiles}>
        {measures.map((measure) => (
          <label key={measure.key} className={classes.tile}>
            <input
              type="radio"
              name={name}
              className={classes.radio}
              checked={measure.key === selected}
              onChange={() => onSelect(measure.key)}
            />
            <span role="group" aria-label={measure.title} className={classes.content}>
              <Text span size="sm" c="dimmed">
                {measure.title}
              </Text>
              <Figure measure={measure} rest={rest} {...shown} />
            </span>
          </label>
        ))}
      </div>
      {hasCost &&
        notes.map(
          (note) =>
            note !== undefined && (
              <Text key={note} size="xs" c="dimmed" px="md" pt="sm">
                {note}
              </Text>
            ),
        )}
    </>
  );
}

/** What the rest of the shown month will probably cost, in billionths; undefined while it isn't forecast. */
function useRest({
  usage,
  search,
  budget,
}: Pick<MeasureTilesProps, 'usage' | 'search' | 'budget'>): bigint | undefined {
  // Figures of an earlier search may be of another key.
  const isShown = usage.selection === selectionOf(search) && hasForecast(usage, budget);
  return useExpectedRest({ ...filterOf(search), since: budget?.since ?? 0 }, isShown);
}

/** Placeholders of tiles. */
export function LoadingTiles() {
  return (
    <div className={classes.tiles}>
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className={classes.tile}>
          <Skeleton h={14} w="60%" mb={10} />
          <Skeleton h={26} w="80%" mb={10} />
          <Skeleton h={12} />
        </div>
      ))}
    </div>
  );
}

type FigureProps = Pick<MeasureTilesProps, 'usage' | 'search' | 'budget'> & {
  measure: Measure;
  rest: bigint | undefined;
};

function Figure({ measure, usage, search, budget, rest }: FigureProps) {
  const { totals } = usage;
  const times = isByModel(measure.key) ? timesOfModels(measure, usage) : [];
  const value = times.length > 1 ? describeRange(times, measure.format) : figureOf(measure, totals);
  const notes = [
    times.length > 1 ? 'By model' : noteOf(measure, usage, search),
    ...(measure.key === 'cost' ? describeCost(usage, budget, rest) : []),
    // Times of several models have no single figure that could be compared.
    times.length > 1 ? undefined : compareWithPrevious(measure, usage),
  ];
  return (
    <>
      <Text span className={classes.value} title={formatOptional(measure.read(totals), measure.format)}>
        {value}
      </Text>
      {measure.key === 'cost' && budget !== undefined && <BudgetNote budget={budget} usage={usage} />}
      {notes.map(
        (note) =>
          note !== undefined && (
            <Text key={note} span size="xs" c="dimmed">
              {note}
            </Text>
          ),
      )}
    </>
  );
}

/** Color isn't the only sign of too much. */
function BudgetNote({ budget: { limit }, usage: { totals, currency } }: { budget: MonthBudget; usage: Usage }) {
  const usedUp = describeUsedUp(totals.cost, limit, currency);
  return (
    <Text span size="xs" c={usedUp === undefined ? 'dimmed' : 'var(--mantine-color-error)'}>
      {usedUp ?? `of ${formatBudget(limit, currency)} budget`}
    </Text>
  );
}

/** Limits on requests are checked before the model is read. */
function noteOf({ key, note }: Measure, { totals }: Usage, { model }: UsageFilter): string | undefined {
  return key === 'limited' && model !== undefined ? 'Mostly not recorded by model' : note?.(totals);
}

function timesOfModels({ read }: Measure, { byModel }: Usage): number[] {
  return byModel.groups.flatMap(({ totals }) => read(totals) ?? []);
}

function describeRange(values: readonly number[], format: (value: number) => string): string {
  const [lowest, highest] = [format(Math.min(...values)), format(Math.max(...values))];
  return lowest === highest ? lowest : `${lowest.replace('\u00a0ms', '')}–${highest}`;
}
