import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { AuditActor } from '../../../api/schema.js';
import { usePermission } from '../../../session/me.js';
import { membersQuery } from '../../members/members.js';

/** Somebody whose events can be looked for. */
export interface Person {
  email: string;
  /** Only of members, and only for those who may list them. */
  name?: string;
}

interface PeopleOptions {
  /** Part of a name or an email. */
  text: string;
  /** Addresses that could be meant as well, such as those of people who have left. */
  others: string[];
  /** Whether to ask the service for members: not before somebody is about to choose. */
  isAsking: boolean;
}

const delayMilliseconds = 200;
const mostMembers = 10;

/** Who could be meant by a text: members first, as far as they may be listed, then the others. */
export function usePeople({ text, others, isAsking }: PeopleOptions): Person[] {
  const [search] = useDebouncedValue(text.trim(), delayMilliseconds);
  const mayList = usePermission('get-members');
  const { data } = useQuery({
    ...membersQuery({ page: 1, perPage: mostMembers, search }),
    enabled: isAsking && mayList,
  });
  const members: Person[] = data?.members ?? [];
  const known = new Set(members.map(({ email }) => email));
  const people: Person[] = [...members, ...others.filter((email) => !known.has(email)).map((email) => ({ email }))];
  // What was found for the text before stays until the next answer, and must not be offered for this one.
  return people.filter(({ name = '', email }) => [name, email].some((part) => fold(part).includes(fold(text.trim()))));
}

/** How somebody who has done something is called, if they are still a member and members may be listed. */
export function useActorName({ id, email }: AuditActor): string | undefined {
  const mayList = usePermission('get-members');
  const { data } = useQuery({
    ...membersQuery({ page: 1, perPage: mostMembers, search: email ?? undefined }),
    enabled: mayList && id !== null && email !== null,
  });
  return data?.members.find(({ userId }) => userId === id)?.name;
}

/** Case and composition do not matter, as little as to the service. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
