import { notifyDone, notifyFailed, notifyUndoable } from '../../../lib/notify.js';
import type { FocusOrigin } from '../../../lib/restore-focus.js';
import { type RoleChange, type RoleHolder, roleSubject } from './role-change.js';

/** A role that the user selected for a member or service account. */
export interface RoleAssignment {
  holder: RoleHolder;
  change: RoleChange;
  /** The field, which gets the focus if the change is undone. */
  origin: FocusOrigin | undefined;
}

/** Changes a role, and offers to undo it. */
export async function assignRole({ holder, change, origin }: RoleAssignment): Promise<void> {
  const { role, previous, canUndo } = change;
  await holder.assign(role.id);
  const message = `${possessive(holder)} role is now ${role.name}.`;
  if (previous === undefined || !canUndo) notifyDone(message, roleSubject(holder));
  else notifyUndoable(message, { undo: () => void restore(holder, previous), origin, subject: roleSubject(holder) });
}

async function restore(holder: RoleHolder, { id, name }: RoleHolder['role']): Promise<void> {
  try {
    await holder.assign(id);
    notifyDone(`${possessive(holder)} role is ${name} again.`, roleSubject(holder));
  } catch (error) {
    notifyFailed(`The role is unchanged. ${error instanceof Error ? error.message : ''}`);
  }
}

const possessive = ({ isOwn, name }: RoleHolder) => (isOwn ? 'Your' : `${name}'s`);
