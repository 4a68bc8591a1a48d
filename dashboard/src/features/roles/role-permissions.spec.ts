import type { Permission } from '../../api/schema.js';
import { countGrants, describeLoss, explainLock, groupPermissions, select } from './role-permissions.js';

const list: Permission[] = [
  { name: 'create-api-keys', description: 'Create API keys', group: 'API keys' },
  { name: 'get-api-keys', description: 'List API keys', group: 'API keys' },
  { name: 'get-usage', description: 'See usage', group: 'Usage' },
];

describe('groupPermissions', () => {
  it('should keep the order of groups and permissions', () => {
    const groups = groupPermissions(list).map(({ name, permissions }) => [name, permissions.length]);
    expect(groups).toEqual([
      ['API keys', 2],
      ['Usage', 1],
    ]);
  });
});

describe('select', () => {
  it('should add permissions in the order of the list, each once', () => {
    const names = ['get-api-keys', 'create-api-keys'] as const;
    expect(select(list, ['get-usage', 'get-api-keys'], { names, isSelected: true })).toEqual([
      'create-api-keys',
      'get-api-keys',
      'get-usage',
    ]);
  });

  it('should take permissions out and leave the others', () => {
    const change = { names: ['get-usage'], isSelected: false } as const;
    expect(select(list, ['get-usage', 'get-api-keys'], change)).toEqual(['get-api-keys']);
  });
});

describe('explainLock', () => {
  it('should let everything be changed that is held', () => {
    expect(explainLock('get-usage', { held: ['get-usage'], granted: [] })).toBeUndefined();
  });

  it('should say that what is not held can neither be granted nor taken away', () => {
    expect(explainLock('get-usage', { held: [], granted: [] })).toMatch(/cannot grant it/);
    expect(explainLock('get-usage', { held: [], granted: ['get-usage'] })).toMatch(/cannot take it away/);
  });
});

describe('describeLoss', () => {
  it('should name in words what is taken away, and nothing that is added', () => {
    const before = ['get-usage', 'create-api-keys'] as const;
    expect(describeLoss(list, { before, after: ['get-api-keys'] })).toBe('Create API keys, See usage');
    expect(describeLoss(list, { before, after: ['get-api-keys', ...before] })).toBeUndefined();
  });
});

describe('countGrants', () => {
  it('should say how much of everything it is', () => {
    expect(countGrants(list, [])).toBe('No permissions');
    expect(countGrants(list, ['get-usage'])).toBe('1 of 3 permissions');
    expect(countGrants(list, ['get-usage', 'get-api-keys', 'create-api-keys'])).toBe('All permissions');
  });
});
