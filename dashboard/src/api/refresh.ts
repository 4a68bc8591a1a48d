import { queryClient } from '../query-client.js';

/** The first part of query keys. */
type Topic =
  | 'api-keys'
  | 'invitations'
  | 'me'
  | 'members'
  | 'organizations'
  | 'roles'
  | 'service-accounts'
  | 'sessions'
  | 'usage'
  | 'webhooks';

/** Refetches visible data after a change. Every change also adds an audit event. */
export async function refresh(...topics: Topic[]): Promise<void> {
  const stale = [...topics, 'audit-events'];
  await Promise.all(stale.map((topic) => queryClient.invalidateQueries({ queryKey: [topic] })));
}
