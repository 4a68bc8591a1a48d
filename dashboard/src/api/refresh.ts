import { queryClient } from '../query-client.js';

/** What can be outdated: the first part of the keys of the queries that read it. */
type Topic = 'api-keys' | 'invitations' | 'me' | 'members' | 'organizations' | 'roles' | 'sessions' | 'usage';

/** Reads anew, where it is shown, what a change has made outdated. The audit log tells of every change. */
export async function refresh(...topics: Topic[]): Promise<void> {
  const outdated = [...topics, 'audit-events'];
  await Promise.all(outdated.map((topic) => queryClient.invalidateQueries({ queryKey: [topic] })));
}
