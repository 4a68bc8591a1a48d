import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { Member } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { queryClient } from '../../query-client.js';
import { useMe } from '../../session/me.js';
import { AssignedRole } from '../roles/assign/AssignedRole.js';

/** The member's role, which some users can change. */
export function MemberRole({ member: { id, userId, name, email, role } }: { member: Member }) {
  const isOwn = userId === useMe().user.id;
  const assign = async (roleId: string) => {
    await unwrap(api.PATCH('/members/{id}', { params: { path: { id } }, body: { roleId } }));
    // The user's own permissions affect every page.
    await (isOwn ? queryClient.invalidateQueries() : refresh('members', 'roles'));
  };
  return <AssignedRole holder={{ name, identity: email, role, isOwn, permission: 'update-members', assign }} />;
}
