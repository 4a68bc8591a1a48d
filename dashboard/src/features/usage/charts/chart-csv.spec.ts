import { chartFileName, toChartCsv } from './chart-csv.js';
import type { Chart } from './series.js';

const chart: Chart = {
  name: 'requests',
  title: 'Requests',
  starts: [new Date(2026, 0, 30), new Date(2026, 0, 31)].map((start) => start.toISOString()),
  series: [
    { key: 'series-1', label: 'Search "new"', values: [1200, 0], total: 1200 },
    { key: 'series-2', label: '=1+1', values: [null, 3.5], total: 3.5 },
  ],
};

describe('toChartCsv', () => {
  it('should have a row for each interval and a column for each series', () => {
    const [, ...lines] = toChartCsv(chart, 'day').split('\r\n');
    expect(lines).toEqual(['"2026-01-30","1200",', '"2026-01-31","0","3.5"', '']);
  });

  it('should have the unit in the column names', () => {
    const [first] = chart.series;
    const header = toChartCsv(
      { ...chart, series: first === undefined ? [] : [{ ...first, label: 'Median' }] },
      'day',
      'ms',
    );
    expect(header.split('\r\n')[0]).toBe('"start","Median (ms)"');
  });

  it('should have exact values where numbers would round them', () => {
    const cost = { key: 'series-1', label: 'Cost', values: [1e-9, null], total: 1e-9, exact: ['0.000000001', null] };
    const [header, ...lines] = toChartCsv({ ...chart, series: [cost] }, 'day', 'EUR').split('\r\n');
    expect(header).toBe('"start","Cost (EUR)"');
    expect(lines).toEqual(['"2026-01-30","0.000000001"', '"2026-01-31",', '']);
  });

  it('should escape names that spreadsheets would run as formulas', () => {
    expect(toChartCsv(chart, 'day').split('\r\n')[0]).toBe(`"start","Search ""new""","'=1+1"`);
  });
});

describe('chartFileName', () => {
  it('should contain the measure, the grouping and the days', () => {
    expect(chartFileName(chart)).toBe('usage-requests-2026-01-30-2026-01-31.csv');
  });

  it('should contain a single day once', () => {
    expect(chartFileName({ ...chart, starts: chart.starts.slice(1) })).toBe('usage-requests-2026-01-31.csv');
  });
});
