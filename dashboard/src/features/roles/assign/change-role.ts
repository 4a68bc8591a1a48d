import { notifyDone, notifyFailed, notifyUndoable } from '../../../lib/notify.js';
import type { RoleChange, RoleHolder } from './role-change.js';

/** Changes a role, and offers to undo it. */
export async function changeRole(holder: RoleHolder, { role, previous, canUndo }: RoleChange): Promise<void> {
  await holder.assign(role.id);
  const message = `${possessive(holder)} role is now ${role.name}.`;
  if (previous === undefined || !canUndo) notifyDone(message);
  else notifyUndoable(message, () => void restore(holder, previous));
}

async function restore(holder: RoleHolder, { id, name }: RoleHolder['role']): Promise<void> {
  try {
    await holder.assign(id);
    notifyDone(`${possessive(holder)} role is ${name} again.`);
  } catch (error) {
    notifyFailed(`The role is unchanged. ${error instanceof Error ? error.message : ''}`);
  }
}

const possessive = ({ isOwn, name }: RoleHolder) => (isOwn ? 'Your' : `${name}'s`);
