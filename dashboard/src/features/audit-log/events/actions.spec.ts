import { readFileSync } from 'node:fs';
import { actionChoices, readAction, readTargetKind } from './actions.js';

const openApi = JSON.parse(readFileSync('openapi.json', 'utf8')) as {
  components: { schemas: { AuditAction: { enum: string[] } } };
};

describe('actionChoices', () => {
  it('should offer each action in exactly one group, except an event that deletes the log', () => {
    const values = actionChoices.flatMap(({ items }) => items.map(({ value }) => value));
    const known = openApi.components.schemas.AuditAction.enum.filter((action) => action !== 'organization.delete');
    expect(values.toSorted()).toEqual(known.toSorted());
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
