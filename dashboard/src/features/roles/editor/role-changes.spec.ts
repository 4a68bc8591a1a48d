import { copyRole, roleChanges } from './role-changes.js';

const before = { name: 'Auditor', permissions: ['get-usage', 'get-roles'] } as const;
const role = { name: before.name, permissions: [...before.permissions] };

describe('roleChanges', () => {
  it('should ignore surrounding spaces in the name and the order of permissions', () => {
    expect(roleChanges(role, { name: ' Auditor ', permissions: ['get-roles', 'get-usage'] })).toBeUndefined();
  });

  it('should return only changed fields', () => {
    expect(roleChanges(role, { ...role, name: 'Reader' })).toEqual({ name: 'Reader' });
    expect(roleChanges(role, { ...role, permissions: ['get-usage'] })).toEqual({ permissions: ['get-usage'] });
    expect(roleChanges(role, { ...role, permissions: ['get-usage', 'get-members'] })).toEqual({
      permissions: ['get-usage', 'get-members'],
    });
  });
});

describe('copyRole', () => {
  it('should have the permissions that the user holds', () => {
    expect(copyRole(role, ['get-usage', 'delete-roles'])).toEqual({
      name: 'Copy of Auditor',
      permissions: ['get-usage'],
    });
  });

  it('should shorten long names to what the service accepts', () => {
    const { name } = copyRole({ ...role, name: '👩‍🚀'.repeat(33) }, []);
    expect(Array.from(name).length).toBeLessThanOrEqual(100);
    expect(name).toMatch(/^Copy of /);
  });
});
