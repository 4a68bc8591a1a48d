import type { PermissionDetails, Role } from '../../api/schema.js';
import {
  countGranted,
  explainMissing,
  explainNeeded,
  listGranted,
  lostPermissions,
  missingPermissions,
} from './role-permissions.js';

const all: PermissionDetails[] = [
  { name: 'create-api-keys', description: 'Create API keys', group: 'API keys' },
  { name: 'get-api-keys', description: 'List API keys', group: 'API keys' },
  { name: 'get-usage', description: 'See usage', group: 'Usage' },
];
const role = { permissions: ['get-usage', 'get-roles'] } satisfies Parameters<typeof missingPermissions>[0];

describe('countGranted', () => {
  it('should count the granted permissions', () => {
    expect(countGranted(all, [])).toBe('No permissions');
    expect(countGranted(all, ['get-usage'])).toBe('1 of 3 permissions');
    expect(countGranted(all, ['get-usage', 'get-api-keys', 'create-api-keys'])).toBe('All permissions');
  });
});

describe('listGranted', () => {
  it('should list the granted permissions in catalog order', () => {
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
