import type { UsageTotals } from '../../api/schema.js';
import type { PreviousStart } from '../../common/usage/previous-month.js';
import { compareWithPrevious, describeRowStart, explainPartialChanges } from './compare-with-previous.js';
import { usedMeasures } from './measures.js';
import { noUsage } from './usage-totals.js';

const october: UsageTotals = { ...noUsage, requests: 300, failures: 3, cost: '3' };
const september: UsageTotals = { ...noUsage, requests: 100, failures: 2, cost: '2' };

const measureOf = (wanted: string) => usedMeasures(october, 'USD').filter(({ key }) => key === wanted);

const period = { previousName: 'September', timeZone: 'Europe/Berlin' };

function compare(key: string, previousStart: { usage?: string; cost?: string }, previousTotals = september) {
  const usage = { totals: october, previousTotals, previousStart, period };
  return measureOf(key).map((measure) => compareWithPrevious(measure, usage))[0];
}

/** Midnight in Berlin. */
const start = '2026-09-27T22:00:00.000Z';
const text = (value: string) => value.replace('28 Sept', '28\u00a0Sept');

describe('compareWithPrevious', () => {
  it('should compare with the name of the period alone if usage began before it', () => {
    expect(compare('requests', {})).toBe('+200.0% vs. September');
    expect(compare('cost', {})).toBe('+50.0% vs. September');
    expect(compare('failures', {})).toBe('2.0% in September');
  });

  it('should say since which day in the time zone of the organization there is usage', () => {
    const both = { usage: start, cost: start };
    expect(compare('requests', both)).toBe(text('+200.0% vs. September (data only from 28 Sept)'));
    expect(compare('cost', both)).toBe(text('+50.0% vs. September (data only from 28 Sept)'));
    expect(compare('failures', both)).toBe(text('2.0% in September (data only from 28 Sept)'));
  });

  it('should say so of costs alone if requests had no price before', () => {
    expect(compare('cost', { cost: start })).toBe(text('+50.0% vs. September (costs only from 28 Sept)'));
    expect(compare('requests', { cost: start })).toBe('+200.0% vs. September');
  });

  it('should not compare costs with a period without prices', () => {
    expect(compare('cost', {}, { ...september, cost: null })).toBe('No requests with a price in September');
  });
});

describe('explainPartialChanges', () => {
  const explain = (key: string, previousStart: { usage?: string; cost?: string }, previousTotals?: UsageTotals) =>
    measureOf(key).map((measure) => explainPartialChanges(measure, { previousTotals, previousStart, period }))[0];

  it('should say since which day there is usage to compare with', () => {
    const note = text('Changes are vs. September (data only from 28 Sept).');
    expect(explain('requests', { usage: start, cost: start }, september)).toBe(note);
    expect(explain('cost', { usage: start, cost: start }, september)).toBe(note);
  });

  it('should say so of costs alone if requests had no price before', () => {
    const note = text('Changes are vs. September (costs only from 28 Sept).');
    expect(explain('cost', { cost: start }, september)).toBe(note);
    expect(explain('requests', { cost: start }, september)).toBeUndefined();
  });

  it('should be left out if all of the period has data, or if it is not compared', () => {
    expect(explain('requests', {}, september)).toBeUndefined();
    expect(explain('requests', { usage: start })).toBeUndefined();
  });
});

describe('describeRowStart', () => {
  const later = '2026-09-28T22:00:00.000Z';
  const describeStart = (key: string, row: PreviousStart, previousStart: PreviousStart = {}) =>
    measureOf(key).map((measure) => describeRowStart(measure, row, { previousStart, timeZone: period.timeZone }))[0];

  it('should say since which day there is usage of the row', () => {
    expect(describeStart('requests', { usage: start, cost: start })).toBe(text('vs. data from 28 Sept'));
    expect(describeStart('cost', { usage: start, cost: start })).toBe(text('vs. data from 28 Sept'));
    expect(describeStart('requests', {})).toBeUndefined();
  });

  it('should say since when there are costs if they began later', () => {
    expect(describeStart('cost', { cost: start })).toBe(text('vs. costs from 28 Sept'));
    expect(describeStart('requests', { cost: start })).toBeUndefined();
  });

  it('should be left out if the usage of all rows began on that day, and not if that began before', () => {
    expect(describeStart('requests', { usage: start }, { usage: start })).toBeUndefined();
    expect(describeStart('requests', { usage: later }, { usage: start })).toBe('vs. data from 29\u00a0Sept');
  });
});
