import { parseArguments, UsageError } from './parse-arguments.js';

describe('The arguments of npm run admin', () => {
  it('should be read as a command with its parameters and flags', () => {
    expect(parseArguments(['delete-account', 'a@b.c', '--force'])).toMatchObject({
      name: 'delete-account',
      parameters: ['a@b.c'],
      flags: new Set(['force']),
    });
  });

  it.each([
    [[], 'A command is missing.'],
    [['explode'], 'Unknown command: explode.'],
    [['toString'], 'Unknown command: toString.'],
    [['reset-password'], 'reset-password takes EMAIL.'],
    [['list-accounts', 'a@b.c'], 'list-accounts takes no arguments.'],
    [['delete-account', 'a@b.c', '--now'], "Unknown option '--now'."],
  ])('should be rejected in one sentence: %j', (words, message) => {
    expect(() => parseArguments(words)).toThrow(new UsageError(message));
  });

  it.each([['--help'], ['help'], ['reset-password', '-h']])('should ask for help with %j', (...words) => {
    expect(parseArguments(words)).toBeUndefined();
  });
});
