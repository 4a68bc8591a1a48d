import { api } from '../../api/api.js';
import { refresh } from '../../api/refresh.js';
import type { ServiceAccount } from '../../api/schema.js';
import { unwrap } from '../../api/service-error.js';
import { AssignedRole } from '../roles/assign/AssignedRole.js';

/** The account's role, which some users can change. */
export function ServiceAccountRole({ account: { id, name, role } }: { account: ServiceAccount }) {
  const assign = async (roleId: string) => {
    await unwrap(api.PATCH('/service-accounts/{id}', { params: { path: { id } }, body: { roleId } }));
    await refresh('service-accounts', 'roles');
  };
  return <AssignedRole holder={{ name, role, isOwn: false, permission: 'update-service-accounts', assign }} />;
}
