import { parseArguments, UsageError } from './parse-arguments.js';

describe('parseArguments', () => {
  it('should return the command, its parameters and flags', () => {
    expect(parseArguments(['delete-account', 'a@b.c', '--force'])).toMatchObject({
      name: 'delete-account',
      parameters: ['a@b.c'],
      flags: new Set(['force']),
    });
  });

  it('should return a command of two words', () => {
    expect(parseArguments(['prices', 'check', 'prices.json'])).toMatchObject({
      name: 'prices check',
      parameters: ['prices.json'],
    });
  });

  it.each([
    [[], 'A command is missing.'],
    [['explode'], 'Unknown command: explode.'],
    [['toString'], 'Unknown command: toString.'],
    [['prices', 'explode'], 'Unknown command: prices.'],
    [['prices', 'check'], 'prices check takes FILE.'],
    [['reset-password'], 'reset-password takes EMAIL.'],
    [['list-accounts', 'a@b.c'], 'list-accounts takes no arguments.'],
    [['delete-account', 'a@b.c', '--now'], "Unknown option '--now'."],
  ])('should reject %j with one sentence', (words, message) => {
    expect(() => parseArguments(words)).toThrow(new UsageError(message));
  });

  it.each([['--help'], ['help'], ['reset-password', '-h']])(
    'should return undefined for %j, which requests help',
    (...words) => {
      expect(parseArguments(words)).toBeUndefined();
    },
  );
});
