import type { UsageTotals } from '../../api/schema.js';
import {
  formatCost,
  formatCostFigure,
  formatCostOnAxis,
  formatCount,
  formatCountOnAxis,
  formatFigure,
  formatLatency,
  formatMilliseconds,
  formatShare,
} from '../../lib/format-numbers.js';
import { failedKey } from './charts/series.js';
import type { MeasureKey } from './measure-keys.js';
import { describeSource, shownMeters } from './meters.js';
import { costOf } from './usage-totals.js';

/** Reads the value of a group or interval; null if nothing was measured. */
export type ReadMeasure = (totals: UsageTotals) => number | null;

/** A measure of usage, which the chart can show. */
export interface Measure {
  key: MeasureKey;
  title: string;
  /** Counts and costs are stacked; times don't add up, and those of different models can't be compared. */
  kind: 'count' | 'cost' | 'latency';
  read: ReadMeasure;
  /** The series while usage isn't split: by default one with the title of the measure. `key` decides its color. */
  ungrouped?: { label: string; key?: string; read: ReadMeasure }[];
  format: (value: number) => string;
  /** Formats a label of an axis, which may depend on the others. */
  formatOnAxis: (value: number, all: readonly number[]) => string;
  /** The prominent total; the formatted value by default. */
  formatFigure?: (totals: UsageTotals) => string;
  /** Explains the total. */
  note?: (totals: UsageTotals) => string | undefined;
  /** Of costs. */
  currency?: string;
  /** Compares the figures as text, such as percentages. */
  comparesText?: true;
}

const counts = { kind: 'count' as const, format: formatCount, formatOnAxis: formatCountOnAxis };
const times = { kind: 'latency' as const, format: formatLatency, formatOnAxis: formatMilliseconds };

const requests: Measure = {
  key: 'requests',
  title: 'Requests',
  read: (totals) => totals.requests,
  formatFigure: (totals) => formatFigure(totals.requests),
  note: (totals) => `${formatFigure(totals.requests - totals.failures)} succeeded`,
  ...counts,
};

const failures: Measure = {
  key: 'failures',
  title: 'Failed requests',
  read: (totals) => totals.failures,
  ungrouped: [{ label: 'Failed', key: failedKey, read: (totals) => totals.failures }],
  formatFigure: (totals) => formatShare(totals.failures, totals.requests),
  note: (totals) => `${formatCount(totals.failures)} of ${formatFigure(totals.requests)}`,
  comparesText: true,
  ...counts,
};

const limited: Measure = {
  key: 'limited',
  title: 'Rejected by a limit',
  read: (totals) => totals.limited,
  formatFigure: (totals) => formatFigure(totals.limited),
  note: () => 'Not counted as requests',
  ...counts,
};

const ofMeter = (meter: (typeof shownMeters)[number]): Measure => ({
  key: meter.name,
  title: meter.title,
  read: (totals) => totals[meter.name],
  formatFigure: (totals) => formatFigure(totals[meter.name]),
  note: () => describeSource(meter),
  ...counts,
});

const latency: Measure = {
  key: 'latency',
  title: 'Latency (p95)',
  read: ({ p95Milliseconds }) => p95Milliseconds,
  ungrouped: [
    { label: 'Median', read: ({ medianMilliseconds }) => medianMilliseconds },
    { label: '95th percentile', read: ({ p95Milliseconds }) => p95Milliseconds },
    { label: '99th percentile', read: ({ p99Milliseconds }) => p99Milliseconds },
  ],
  note: () => '95th percentile',
  ...times,
};

const firstToken: Measure = {
  key: 'firstToken',
  title: 'Time to first token',
  read: ({ firstTokenMilliseconds }) => firstTokenMilliseconds,
  note: () => 'Mean of streamed responses',
  ...times,
};

const costIn = (currency: string): Measure => ({
  key: 'cost',
  title: 'Cost',
  kind: 'cost',
  currency,
  read: costOf,
  format: (amount) => formatCost(amount, currency),
  formatOnAxis: (amount, all) => formatCostOnAxis(amount, all, currency),
  formatFigure: (totals) => formatCostFigure(costOf(totals) ?? 0, currency),
});

/**
 * The measures that something was used of, in order. Requests and failures are always among them: none have failed is
 * worth knowing.
 */
export function usedMeasures(totals: UsageTotals, currency: string): Measure[] {
  const all = [costIn(currency), requests, failures, limited, ...shownMeters.map(ofMeter), latency, firstToken];
  return all.filter((measure) => {
    if (measure === requests || measure === failures) return true;
    const value = measure.read(totals);
    // A cost of 0 is of free models.
    return value !== null && (value > 0 || measure.kind === 'cost');
  });
}

/** The measure to show: another one if the chosen one has no usage. */
export function chooseMeasure(measures: readonly Measure[], key: MeasureKey): Measure {
  return measures.find((measure) => measure.key === key) ?? requests;
}

/** Whether a measure is only compared within a model. */
export function isByModel(key: MeasureKey): boolean {
  return key === 'latency' || key === 'firstToken';
}
