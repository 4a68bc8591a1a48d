import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member, Role } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { notifyDone, notifyFailed, notifyUndoable } from '../../lib/notify.js';
import { queryClient } from '../../query-client.js';
import type { RoleChange } from './role-change.js';

/** Changes a member's role, and offers to undo it. */
export async function changeRole(member: Member, change: RoleChange): Promise<void> {
  const { role, previous, isOwn, canUndo } = change;
  await assign(member, role, isOwn);
  const message = `${isOwn ? 'Your' : `${member.name}'s`} role is now ${role.name}.`;
  if (previous === undefined || !canUndo) notifyDone(message);
  else notifyUndoable(message, () => void restore(member, previous, isOwn));
}

async function restore(member: Member, role: Role, isOwn: boolean): Promise<void> {
  try {
    await assign(member, role, isOwn);
    notifyDone(`${isOwn ? 'Your' : `${member.name}'s`} role is ${role.name} again.`);
  } catch (error) {
    notifyFailed(`The role is unchanged. ${error instanceof Error ? error.message : ''}`);
  }
}

async function assign({ id }: Member, role: Role, isOwn: boolean): Promise<void> {
  await unwrap(api.PATCH('/members/{id}', { params: { path: { id } }, body: { roleId: role.id } }));
  // The user's own permissions affect every page.
  await (isOwn ? queryClient.invalidateQueries() : refresh('members', 'roles'));
}
