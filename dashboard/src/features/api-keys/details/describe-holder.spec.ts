import { findHolder, nameHolder } from './describe-holder.js';

describe('nameHolder', () => {
  it.each([
    ['user', 'Grace Hopper', 'Grace Hopper, who is no longer a member,'],
    ['user', null, 'A former member'],
    ['service-account', 'Deploy pipeline', 'The deleted service account Deploy pipeline'],
    ['service-account', null, 'A deleted service account'],
  ] as const)('should begin a sentence about a %s named %p', (kind, name, text) => {
    expect(nameHolder({ kind, name })).toBe(text);
  });
});

describe('findHolder', () => {
  it('should find who knows the current or the previous secret', () => {
    const grace = { secret: 'previous', kind: 'user', name: 'Grace Hopper' } as const;
    const apiKey = { knownToFormerMembers: [grace] };
    expect(findHolder(apiKey, 'previous')).toBe(grace);
    expect(findHolder(apiKey, 'current')).toBeUndefined();
    expect(findHolder(undefined, 'current')).toBeUndefined();
  });
});
