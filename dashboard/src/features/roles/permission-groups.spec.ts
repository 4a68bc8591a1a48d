import type { PermissionDetails } from '../../api/schema.js';
import {
  describeRemoved,
  explainHiddenPage,
  explainLock,
  groupPermissions,
  updateSelection,
} from './permission-groups.js';

const all: PermissionDetails[] = [
  { name: 'create-api-keys', description: 'Create API keys', group: 'API keys' },
  { name: 'get-api-keys', description: 'List API keys', group: 'API keys' },
  { name: 'get-usage', description: 'See usage', group: 'Usage' },
];

describe('groupPermissions', () => {
  it('should keep the order of groups and permissions', () => {
    const groups = groupPermissions(all).map(({ name, permissions }) => [name, permissions.length]);
    expect(groups).toEqual([
      ['API keys', 2],
      ['Usage', 1],
    ]);
  });
});

describe('updateSelection', () => {
  it('should add permissions in catalog order, without duplicates', () => {
    const names = ['get-api-keys', 'create-api-keys'] as const;
    expect(updateSelection(all, ['get-usage', 'get-api-keys'], { names, isSelected: true })).toEqual([
      'create-api-keys',
      'get-api-keys',
      'get-usage',
    ]);
  });

  it('should remove permissions and keep the others', () => {
    const change = { names: ['get-usage'], isSelected: false } as const;
    expect(updateSelection(all, ['get-usage', 'get-api-keys'], change)).toEqual(['get-api-keys']);
  });
});

describe('explainLock', () => {
  it('should return undefined for permissions that the user has', () => {
    expect(explainLock('get-usage', { held: ['get-usage'], granted: [] })).toBeUndefined();
  });

  it('should say whether a permission that the user lacks is locked against granting or removing', () => {
    expect(explainLock('get-usage', { held: [], granted: [] })).toMatch(/can't grant it/);
    expect(explainLock('get-usage', { held: [], granted: ['get-usage'] })).toMatch(/can't remove it/);
  });
});

describe('explainHiddenPage', () => {
  const explain = (...selected: PermissionDetails['name'][]) => explainHiddenPage('API keys', { all, selected });

  it('should name the page and the missing permission if others of the group are selected', () => {
    const hint = "Without “List API keys”, people with this role don't see the API keys page.";
    expect(explain('create-api-keys')).toBe(hint);
  });

  it('should return undefined if the page is shown, or none of its permissions is selected', () => {
    expect(explain('create-api-keys', 'get-api-keys')).toBeUndefined();
    expect(explain('get-usage')).toBeUndefined();
  });

  it('should name all missing permissions', () => {
    const ofServiceAccounts = { name: 'create-service-accounts', description: '', group: 'Service accounts' } as const;
    const listing = {
      name: 'get-service-accounts',
      description: 'List service accounts',
      group: 'Service accounts',
    } as const;
    const members = { name: 'get-members', description: 'List members', group: 'Members' } as const;
    const selected = ['create-service-accounts'] as const;
    expect(explainHiddenPage('Service accounts', { all: [members, ofServiceAccounts, listing], selected })).toMatch(
      /^Without “List members” and “List service accounts”, people/,
    );
  });
});

describe('describeRemoved', () => {
  it('should describe removed permissions and ignore added ones', () => {
    const before = ['get-usage', 'create-api-keys'] as const;
    expect(describeRemoved(all, { before, after: ['get-api-keys'] })).toBe('Create API keys, See usage');
    expect(describeRemoved(all, { before, after: ['get-api-keys', ...before] })).toBeUndefined();
  });
});
