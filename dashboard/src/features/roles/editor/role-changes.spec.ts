import { roleChanges } from './role-changes.js';

const before = { name: 'Auditor', permissions: ['get-usage', 'get-roles'] } as const;
const role = { name: before.name, permissions: [...before.permissions] };

describe('roleChanges', () => {
  it('should find no change in spaces around the name and in the order of permissions', () => {
    expect(roleChanges(role, { name: ' Auditor ', permissions: ['get-roles', 'get-usage'] })).toBeUndefined();
  });

  it('should name only what has changed', () => {
    expect(roleChanges(role, { ...role, name: 'Reader' })).toEqual({ name: 'Reader' });
    expect(roleChanges(role, { ...role, permissions: ['get-usage'] })).toEqual({ permissions: ['get-usage'] });
    expect(roleChanges(role, { ...role, permissions: ['get-usage', 'get-members'] })).toEqual({
      permissions: ['get-usage', 'get-members'],
    });
  });
});
