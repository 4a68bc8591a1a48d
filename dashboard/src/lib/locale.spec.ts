import { toLanguageTag, toLocale } from './locale.js';

const format = (language: string) =>
  new Intl.DateTimeFormat(toLocale(language), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })
    .format(new Date('2026-11-23T15:05:00Z'))
    .replaceAll('\u202f', ' ');

describe('toLanguageTag', () => {
  it.each(['en-US@posix', 'en_US', 'C', 'POSIX@', '*', ''])(
    "should return English for %p, which isn't a language tag",
    (name) => {
      expect(toLanguageTag(name)).toBe('en');
    },
  );

  it.each(['en-US', 'en-US-u-va-posix', 'de-CH', 'zh-Hant-TW', 'fil'])('should keep %s', (name) => {
    expect(toLanguageTag(name)).toBe(name);
  });
});

describe('toLocale', () => {
  it.each([
    ['en-US', 'Nov 23, 2026, 3:05 PM'],
    ['en-GB', '23 Nov 2026, 15:05'],
    ['en', 'Nov 23, 2026, 3:05 PM'],
    ['de-DE', '23 Nov 2026, 15:05'],
    ['es-MX', '23 Nov 2026, 3:05 pm'],
    ['ja-JP', 'Nov 23, 2026, 15:05'],
    ['fr', '23 Nov 2026, 15:05'],
  ])('should format times in English for %s, such as "%s"', (language, text) => {
    expect(format(language)).toBe(text);
  });

  it('should keep the English number format for other languages', () => {
    expect(new Intl.NumberFormat(toLocale('de-DE')).format(1234.5)).toBe('1,234.5');
  });
});
