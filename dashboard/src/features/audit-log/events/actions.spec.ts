import { actionChoices, readAction, readTargetKind } from './actions.js';

describe('actionChoices', () => {
  it('should offer each action in exactly one group, except an event that deletes the log', () => {
    const values = actionChoices.flatMap(({ items }) => items.map(({ value }) => value));
    expect(values).toHaveLength(37);
    expect(new Set(values).size).toBe(values.length);
  });
});

describe('readAction', () => {
  it('should accept only known actions', () => {
    expect(readAction('api-key.rotate')).toBe('api-key.rotate');
    for (const value of ['constructor', '', undefined, 7]) expect(readAction(value)).toBeUndefined();
  });
});

describe('readTargetKind', () => {
  it('should accept only known kinds of target', () => {
    expect(readTargetKind('role')).toBe('role');
    for (const value of ['constructor', '', undefined, 7]) expect(readTargetKind(value)).toBeUndefined();
  });
});
