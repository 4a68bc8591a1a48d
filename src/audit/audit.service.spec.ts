import { changedFields } from './audit.service.js';

describe('changedFields', () => {
  it('should return the fields that differ, before and after', () => {
    const current = { name: 'Viewer', permissions: ['get-usage'] };
    expect(changedFields(current, { name: 'Reader', permissions: ['get-usage'] })).toEqual({
      before: { name: 'Viewer' },
      after: { name: 'Reader' },
    });
  });

  it('should ignore undefined fields', () => {
    expect(changedFields({ name: 'Viewer', age: 1 }, { name: undefined, age: 2 })).toEqual({
      before: { age: 1 },
      after: { age: 2 },
    });
  });

  it('should return undefined if nothing changes', () => {
    expect(changedFields({ name: 'Viewer' }, { name: 'Viewer' })).toBeUndefined();
    expect(changedFields({ name: 'Viewer' }, {})).toBeUndefined();
  });
});
