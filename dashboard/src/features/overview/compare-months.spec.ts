import type { Overview, UsageSums } from '../../api/schema.js';
import { compareMonths } from './compare-months.js';
import { shownMeasures } from './measures.js';

const november: UsageSums = {
  requests: 300,
  failures: 3,
  inputTokens: 60,
  outputTokens: 0,
  cost: '3',
  unpricedRequests: 0,
};
const october: UsageSums = { ...november, requests: 100, failures: 2, cost: '2' };
const timeZone = 'Europe/Berlin';

const compare = (previousMonth: Overview['previousMonth'], at = '2026-11-21T09:31:00Z') =>
  compareMonths({ at, timeZone, ...(previousMonth && { previousMonth }) }, '2026-11');
const since = (totals: UsageSums, starts: { usageFrom?: string; costFrom?: string } = {}) => ({
  from: '2026-09-30T22:00:00.000Z',
  to: '2026-10-21T09:00:00.000Z',
  totals,
  ...starts,
});
const changes = (totals: UsageSums) =>
  shownMeasures(true).map((measure) => compare(since(totals)).describe?.(measure, november));

const days = '1\u2060–\u206021\u00a0Oct';

describe('compareMonths', () => {
  it('should compare each figure with the same days, and shares of failed requests as text', () => {
    expect(changes(october)).toEqual([
      `+50.0% vs. ${days}`,
      `+200.0% vs. ${days}`,
      `2.0% in ${days}`,
      `About the same as ${days}`,
    ]);
    expect(compare(since(october)).note).toBe(`Changes are vs. ${days} until 10:31.`);
  });

  it('should not compare costs with requests that had no price', () => {
    expect(changes({ ...october, cost: null })[0]).toBe(`No requests with a price in ${days}`);
  });

  it('should say since which day there is usage or, if they began later, since when there are costs', () => {
    const [usageFrom, costFrom] = ['2026-10-11T22:00:00.000Z', '2026-10-13T22:00:00.000Z'];
    const noteOf = (starts: { usageFrom?: string; costFrom?: string }) =>
      compare(since(october, starts)).note.replace(`Changes are vs. ${days} until 10:31`, '');
    expect(noteOf({ usageFrom, costFrom: usageFrom })).toBe(' (data only from 12\u00a0Oct).');
    expect(noteOf({ usageFrom, costFrom })).toBe(' (data only from 12\u00a0Oct, costs only from 14\u00a0Oct).');
    expect(noteOf({ costFrom })).toBe(' (costs only from 14\u00a0Oct).');
  });

  it('should say that there is nothing to compare with', () => {
    const nothing = { ...october, requests: 0, cost: null };
    expect(compare(since(nothing))).toEqual({
      describe: undefined,
      note: `No requests in ${days} until 10:31 to compare with.`,
    });
    expect(compare(undefined)).toEqual({ describe: undefined, note: "No comparison: older usage isn't kept." });
  });
});
