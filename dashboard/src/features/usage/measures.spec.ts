import { measureKeys } from './measure-keys.js';
import { chooseMeasure, usedMeasures } from './measures.js';
import { shownMeters } from './meters.js';
import { noUsage } from './usage-totals.js';

const keysOf = (totals: Partial<typeof noUsage>) =>
  usedMeasures({ ...noUsage, ...totals }, 'EUR').map(({ key }) => key);

describe('usedMeasures', () => {
  it('should leave out unused measures, except requests and failures', () => {
    expect(keysOf({ requests: 3, inputTokens: 7, p95Milliseconds: 12 })).toEqual([
      'requests',
      'failures',
      'inputTokens',
      'latency',
    ]);
  });

  it('should include a cost of nothing, which is of free models', () => {
    expect(keysOf({ requests: 3, cost: '0' })).toEqual(['cost', 'requests', 'failures']);
  });

  it('should include limits and the time to the first token where they were measured', () => {
    expect(keysOf({ requests: 3, limited: 1, firstTokenMilliseconds: 300 })).toEqual([
      'requests',
      'failures',
      'limited',
      'firstToken',
    ]);
  });
});

describe('measureKeys', () => {
  it('should have all meters that are shown', () => {
    for (const { name } of shownMeters) expect(measureKeys).toContain(name);
  });
});

describe('chooseMeasure', () => {
  it('should be requests if nothing was used of the chosen measure', () => {
    const measures = usedMeasures({ ...noUsage, requests: 1, pages: 2 }, 'EUR');
    expect(chooseMeasure(measures, 'cost').key).toBe('requests');
    expect(chooseMeasure(measures, 'pages').key).toBe('pages');
  });
});
