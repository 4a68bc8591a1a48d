import type { Role } from '../../../api/schema.js';
import { describeRoleChange, needsConfirmation } from './role-change.js';

const role = (name: string, ...permissions: Role['permissions']): Role => ({
  id: name,
  name,
  permissions,
  memberCount: 1,
  serviceAccountCount: 0,
  invitationCount: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});
const viewer = role('Viewer', 'get-members');
const manager = role('Manager', 'get-members', 'update-members');
const operator = role('Operator', 'get-members', 'update-members', 'get-usage');

describe('needsConfirmation', () => {
  it.each([
    ['ask before the holder gains permissions', viewer, manager, false, true],
    ['not ask if the holder only loses permissions that the user can grant again', manager, viewer, false, false],
    ["ask before a change that needs another's permissions to undo", operator, viewer, false, true],
    ['ask before users take permissions from themselves', manager, viewer, true, true],
  ])('should %s', (_title, previous, next, isOwn, expected) => {
    const change = describeRoleChange(next, {
      previous,
      isOwn,
      permission: 'update-members',
      held: manager.permissions,
    });
    expect(needsConfirmation(change)).toBe(expected);
  });
});
