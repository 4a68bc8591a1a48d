import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { foldText } from '../../../lib/fold-text.js';
import { usePermission } from '../../../session/me.js';
import { membersQuery } from '../../members/members.js';

/** Someone whose events can be searched for. */
export interface Person {
  email: string;
  /** Only known for members, and only to users who can list members. */
  name?: string;
}

interface PeopleOptions {
  /** Part of a name or an email. */
  text: string;
  /** Further emails to search, such as those of former members. */
  emails: string[];
  /** Whether to search members, too. */
  searchesMembers: boolean;
}

const debounceMilliseconds = 200;
const pageSize = 10;

/** Finds people by name or email: members first, then the given emails. */
export function usePeople({ text, emails, searchesMembers }: PeopleOptions): Person[] {
  const [search] = useDebouncedValue(text.trim(), debounceMilliseconds);
  const canListMembers = usePermission('get-members');
  const { data } = useQuery({
    ...membersQuery({ page: 1, perPage: pageSize, search }),
    enabled: searchesMembers && canListMembers,
  });
  const members: Person[] = data?.members ?? [];
  const memberEmails = new Set(members.map(({ email }) => email));
  const others: Person[] = emails.filter((email) => !memberEmails.has(email)).map((email) => ({ email }));
  // The members may still be those found for the previous text.
  return [...members, ...others].filter(({ name = '', email }) =>
    [name, email].some((part) => foldText(part).includes(foldText(text.trim()))),
  );
}
