import { explainLack, lackingPermissions, lostPermissions } from './grants.js';

const role = { permissions: ['get-usage', 'get-roles'] } satisfies Parameters<typeof lackingPermissions>[0];

describe('lackingPermissions', () => {
  it('should name what the role holds and the person does not', () => {
    expect(lackingPermissions(role, ['get-roles', 'get-members'])).toEqual(['get-usage']);
  });

  it('should be empty for who holds all of the role', () => {
    expect(lackingPermissions(role, ['get-roles', 'get-usage', 'get-members'])).toEqual([]);
  });
});

describe('lostPermissions', () => {
  it('should name what the person holds and the role does not', () => {
    expect(lostPermissions(role, ['get-roles', 'get-members'])).toEqual(['get-members']);
  });
});

describe('explainLack', () => {
  it('should name all of a few permissions', () => {
    expect(explainLack(['get-usage'])).toBe('You lack get-usage');
    expect(explainLack(['get-usage', 'get-roles'])).toBe('You lack get-usage, get-roles');
  });

  it('should count the others of many', () => {
    expect(explainLack(['get-usage', 'get-roles', 'get-members', 'delete-roles'])).toBe(
      'You lack get-usage, get-roles and 2 more',
    );
  });
});
