import { exactTime } from '../../../lib/format-time.js';
import type { AuditEvent } from '../../../api/schema.js';
import { describeChanges } from './describe-changes.js';

const target: AuditEvent['target'] = { kind: 'api-key', id: null, name: 'Search' };

describe('describeChanges', () => {
  it('should show the old and new value of a field', () => {
    expect(describeChanges({ target, before: { name: 'Search' }, after: { name: 'Search indexer' } })).toEqual([
      { field: 'Name', before: ['Search'], after: ['Search indexer'] },
    ]);
  });

  it('should show only the removed and added items of a list', () => {
    const before = { permissions: ['get-usage', 'get-roles'] };
    const after = { permissions: ['get-usage', 'get-members'] };
    expect(describeChanges({ target, before, after })).toEqual([
      { field: 'Permissions', before: ['get-roles'], after: ['get-members'] },
    ]);
  });

  it.each([
    ['gracePeriodSeconds', 86_400, 'Grace period', '1 day'],
    ['gracePeriodSeconds', 5400, 'Grace period', '90 minutes'],
    ['gracePeriodSeconds', 0, 'Grace period', 'None'],
    ['longestKeyLifetimeDays', 30, 'Longest key lifetime', '30 days'],
    ['longestKeyLifetimeDays', null, 'Longest key lifetime', 'No limit'],
    ['models', null, 'Models', 'All'],
    ['addresses', null, 'IP addresses', 'All'],
    ['expiresAt', null, 'Expires at', 'Never'],
    ['note', null, 'Note', 'None'],
    ['hint', 'kc_ab12c', 'Secret', 'kc_ab12c…'],
    ['expiresAt', '2026-01-31T09:30:00.000Z', 'Expires at', exactTime('2026-01-31T09:30:00.000Z')],
    ['isPaused', true, 'Is paused', 'Yes'],
    ['limits', [{ metric: 'requests', per: 'day', max: 3000 }], 'Limits', '3,000 requests per day'],
    ['timeZone', 'Europe/Berlin', 'Time zone', 'Europe/Berlin'],
    ['targets', { perDay: 3 }, 'Targets', '{"perDay":3}'],
  ])('should format %s %j', (field, value, name, text) => {
    expect(describeChanges({ target, before: null, after: { [field]: value } })).toEqual([
      { field: name, before: [], after: [text] },
    ]);
  });

  it('should show that only an option of a limit changed, with the currency of its cost', () => {
    const limit = { metric: 'cost', per: 'month', max: '25' };
    const event = { target, before: { limits: [limit] }, after: { limits: [{ ...limit, notifyAt: [80] }] } };
    expect(describeChanges(event, 'EUR')).toEqual([
      { field: 'Limits', before: ['€25.00 per month'], after: ['€25.00 per month, alerts at 80%'] },
    ]);
  });

  it('should call the secret of a service account a client secret', () => {
    const event = {
      target: { ...target, kind: 'service-account' as const },
      before: { hint: 'kcs_ab12' },
      after: null,
    };
    expect(describeChanges(event)).toEqual([{ field: 'Client secret', before: ['kcs_ab12…'], after: [] }]);
  });

  it.each([
    ['api-key', 'Previous secret expires at'],
    ['service-account', 'Previous client secret expires at'],
  ] as const)('should show that the previous secret of a target of kind %s was revoked', (kind, field) => {
    const expiry = '2026-01-31T09:30:00.000Z';
    const event = {
      target: { ...target, kind },
      before: { previousSecretExpiresAt: expiry },
      after: { previousSecretExpiresAt: null },
    };
    expect(describeChanges(event)).toEqual([{ field, before: [exactTime(expiry)], after: ['Revoked'] }]);
  });

  it('should return nothing if no field changed', () => {
    expect(describeChanges({ target, before: null, after: null })).toEqual([]);
  });
});
