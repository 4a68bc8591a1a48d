import type { PermissionDetails, Role } from '../../api/schema.js';
import {
  countGranted,
  describeRemoved,
  explainHiddenPage,
  explainLock,
  explainMissing,
  explainNeeded,
  groupPermissions,
  listGranted,
  lostPermissions,
  missingPermissions,
  updateSelection,
} from './role-permissions.js';

const all: PermissionDetails[] = [
  { name: 'create-api-keys', description: 'Create API keys', group: 'API keys' },
  { name: 'get-api-keys', description: 'List API keys', group: 'API keys' },
  { name: 'get-usage', description: 'See usage', group: 'Usage' },
];
const role = { permissions: ['get-usage', 'get-roles'] } satisfies Parameters<typeof missingPermissions>[0];

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
  it('should add permissions in catalogue order, without duplicates', () => {
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

describe('countGranted', () => {
  it('should count the granted permissions', () => {
    expect(countGranted(all, [])).toBe('No permissions');
    expect(countGranted(all, ['get-usage'])).toBe('1 of 3 permissions');
    expect(countGranted(all, ['get-usage', 'get-api-keys', 'create-api-keys'])).toBe('All permissions');
  });
});

describe('listGranted', () => {
  it('should list the granted permissions in catalogue order', () => {
    expect(listGranted(all, ['get-usage', 'create-api-keys'])).toBe('Create API keys, See usage');
  });

  it('should not list each permission of a role with all or none', () => {
    expect(listGranted(all, [])).toBe('No permissions');
    expect(listGranted(all, ['get-usage', 'get-api-keys', 'create-api-keys'])).toBe('All permissions');
  });
});

describe('missingPermissions', () => {
  it('should return permissions of the role that the user lacks', () => {
    expect(missingPermissions(role, ['get-roles', 'get-members'])).toEqual(['get-usage']);
  });

  it('should return none if the user has all permissions of the role', () => {
    expect(missingPermissions(role, ['get-roles', 'get-usage', 'get-members'])).toEqual([]);
  });
});

describe('lostPermissions', () => {
  it('should return permissions of the user that the role lacks', () => {
    expect(lostPermissions(role, ['get-roles', 'get-members'])).toEqual(['get-members']);
  });
});

describe('explainMissing', () => {
  it('should name up to two permissions', () => {
    expect(explainMissing(['See usage'])).toBe("You don't have “See usage”");
    expect(explainMissing(['See usage', 'List roles'])).toBe("You don't have “See usage”, “List roles”");
  });

  it('should count further permissions', () => {
    expect(explainMissing(['See usage', 'List roles', 'List members', 'Delete roles'])).toBe(
      "You don't have “See usage”, “List roles” and 2 more",
    );
  });
});

describe('explainNeeded', () => {
  it('should only reject roles without a needed permission', () => {
    const role = { permissions: ['get-roles', 'update-roles'] } satisfies Pick<Role, 'permissions'>;
    expect(explainNeeded(role, ['update-roles', 'update-members'])).toBe(
      'No other member can manage roles and members',
    );
    expect(explainNeeded(role, ['update-roles'])).toBeUndefined();
    expect(explainNeeded(role, [])).toBeUndefined();
  });
});
