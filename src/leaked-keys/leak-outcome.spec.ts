import { outcomeOf, type ReportedSecret } from './leak-outcome.js';

const live: ReportedSecret = {
  hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  apiKeyId: '01990000-0000-7000-8000-000000000002',
  organizationId: '01990000-0000-7000-8000-000000000001',
  name: 'Search indexer',
  secret: 'current',
  exists: true,
  isEnabled: true,
  isUnexpired: true,
  onLeak: 'disable',
  places: 0,
};

describe('outcomeOf', () => {
  it.each<[Partial<ReportedSecret>, string]>([
    [{}, 'disabled'],
    [{ isUnexpired: false }, 'disabled'],
    [{ isEnabled: false }, 'already-rejected'],
    [{ onLeak: 'delete' }, 'deleted'],
    [{ onLeak: 'delete', isEnabled: false, isUnexpired: false }, 'deleted'],
    [{ onLeak: 'notify' }, 'unchanged'],
    [{ onLeak: 'notify', isEnabled: false }, 'already-rejected'],
    [{ onLeak: 'notify', isUnexpired: false }, 'already-rejected'],
    [{ secret: 'previous' }, 'previous-secret-revoked'],
    [{ secret: 'previous', isEnabled: false }, 'previous-secret-revoked'],
    [{ secret: 'previous', isUnexpired: false }, 'already-rejected'],
    [{ secret: 'previous', onLeak: 'delete' }, 'previous-secret-revoked'],
    [{ secret: 'previous', onLeak: 'notify' }, 'unchanged'],
    [{ exists: false, onLeak: 'delete' }, 'already-rejected'],
  ])('should be, for %j, %s', (changes, outcome) => {
    expect(outcomeOf({ ...live, ...changes })).toBe(outcome);
  });
});
