import { changedFields } from './changed-fields.js';

describe('changedFields', () => {
  it('should tell only the fields that differ, before and after', () => {
    const current = { name: 'Viewer', permissions: ['get-usage'] };
    expect(changedFields(current, { name: 'Reader', permissions: ['get-usage'] })).toEqual({
      before: { name: 'Viewer' },
      after: { name: 'Reader' },
    });
  });

  it('should leave out what is not to be set', () => {
    expect(changedFields({ name: 'Viewer', age: 1 }, { name: undefined, age: 2 })).toEqual({
      before: { age: 1 },
      after: { age: 2 },
    });
  });

  it('should find nothing when all is as wanted', () => {
    expect(changedFields({ name: 'Viewer' }, { name: 'Viewer' })).toBeUndefined();
    expect(changedFields({ name: 'Viewer' }, {})).toBeUndefined();
  });
});
