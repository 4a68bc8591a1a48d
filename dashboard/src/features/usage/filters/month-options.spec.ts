import { monthOptions } from './month-options.js';

describe('monthOptions', () => {
  it('should have this month, the last one and all that are kept by default', () => {
    const options = monthOptions('2026-02', '2026-02');
    expect(options.slice(0, 3)).toEqual([
      { value: '2026-02', label: 'This month (February 2026)' },
      { value: '2026-01', label: 'Last month (January 2026)' },
      { value: '2025-12', label: 'December 2025' },
    ]);
    expect(options.at(-1)).toEqual({ value: '2025-02', label: 'February 2025' });
  });

  it('should include a selected month that is older or to come', () => {
    expect(monthOptions('2026-02', '2024-01').at(-1)?.value).toBe('2024-01');
    expect(monthOptions('2026-02', '2026-03')[0]).toEqual({ value: '2026-03', label: 'March 2026' });
  });
});
