import { isFoundBy, timeZoneOptions } from './time-zones.js';

const winter = Date.parse('2026-11-28T00:00:00Z');

describe('timeZoneOptions', () => {
  it('should have the current offset of each time zone, and start with UTC', () => {
    const options = timeZoneOptions('UTC', winter);
    expect(options[0]).toEqual({ value: 'UTC', label: 'UTC (UTC+00:00)' });
    expect(options).toContainEqual({ value: 'America/New_York', label: 'America/New York (UTC−05:00)' });
    const summer = timeZoneOptions('UTC', Date.parse('2026-07-01T00:00:00Z'));
    expect(summer).toContainEqual({ value: 'Europe/Berlin', label: 'Europe/Berlin (UTC+02:00)' });
  });

  it('should have the selected time zone once, even if the browser does not know it', () => {
    const count = (selected: string) =>
      timeZoneOptions(selected, winter).filter(({ value }) => value === selected).length;
    expect([count('UTC'), count('Europe/Berlin'), count('Mars/Olympus_Mons')]).toEqual([1, 1, 1]);
    expect(timeZoneOptions('Mars/Olympus_Mons', winter).at(-1)?.label).toBe('Mars/Olympus Mons');
  });
});

describe('isFoundBy', () => {
  const option = { value: 'America/New_York', label: 'America/New York (UTC−05:00)' };

  it.each(['new york', 'New_York', 'america/', 'utc-05', 'UTC−05:00', ''])('should find New York by "%s"', (text) => {
    expect(isFoundBy(option, text)).toBe(true);
  });

  it('should not find it by another name', () => {
    expect(isFoundBy(option, 'Newport')).toBe(false);
  });
});
