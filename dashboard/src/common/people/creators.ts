import { keepPreviousData, queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { api } from '../../api/api.js';
import { unwrap } from '../../api/service-error.js';
import { foldText } from '../../lib/fold-text.js';
import { usePermission } from '../../session/me.js';
import { personQuery, serviceAccountQuery } from './people.js';

/** A person or service account to filter keys by. */
interface Creator {
  id: string;
  name: string;
  email?: string;
  isServiceAccount: boolean;
}

interface Permissions {
  mayGetMembers: boolean;
  mayGetAccounts: boolean;
}

const perPage = 10;
const maxAccounts = 100;

/** The first members, former members and service accounts whose name or email contains the text. */
export function findCreatorsQuery(search: string, permissions: Permissions) {
  return queryOptions({
    queryKey: ['members', 'creators', search, permissions],
    queryFn: ({ signal }) => findCreators(search, permissions, signal),
    placeholderData: keepPreviousData,
  });
}

async function findCreators(search: string, { mayGetMembers, mayGetAccounts }: Permissions, signal: AbortSignal) {
  const query = { perPage, ...(search !== '' && { search }) };
  const [current, former, accounts] = await Promise.all([
    mayGetMembers ? unwrap(api.GET('/members', { params: { query }, signal })) : undefined,
    mayGetMembers ? unwrap(api.GET('/people/former', { params: { query }, signal })) : undefined,
    mayGetAccounts
      ? unwrap(api.GET('/service-accounts', { params: { query: { perPage: maxAccounts } }, signal }))
      : undefined,
  ]);
  const toPerson = ({ userId, name, email }: { userId: string; name: string; email: string }): Creator => ({
    id: userId,
    name,
    email,
    isServiceAccount: false,
  });
  const found = (accounts?.serviceAccounts ?? []).filter(({ name }) => foldText(name).includes(foldText(search)));
  return [
    { label: 'Members', people: (current?.members ?? []).map(toPerson) },
    { label: 'Service accounts', people: found.map(({ id, name }): Creator => ({ id, name, isServiceAccount: true })) },
    { label: 'Removed members', people: (former?.formerMembers ?? []).map(toPerson) },
  ].filter(({ people }) => people.length > 0);
}

/** The names of people and service accounts by id, as far as they are known. */
export function useCreatorNames(ids: readonly string[]): Map<string, string> {
  const mayGetMembers = usePermission('get-members');
  const mayGetAccounts = usePermission('get-service-accounts');
  const people = useQueries({ queries: ids.map((id) => ({ ...personQuery(id), enabled: mayGetMembers })) });
  const accounts = useQueries({
    queries: ids.map((id, index) => ({
      ...serviceAccountQuery(id),
      enabled: mayGetAccounts && (!mayGetMembers || people[index]?.isError === true),
    })),
  });
  const found = ids.map((id, index) => ({ id, name: (people[index]?.data ?? accounts[index]?.data)?.name }));
  return new Map(found.flatMap(({ id, name }) => (name === undefined ? [] : [[id, name]])));
}

/** The name of a person or service account; undefined while it isn't known. */
export function useCreatorName(id: string | undefined): string | undefined {
  const mayGetMembers = usePermission('get-members');
  const mayGetAccounts = usePermission('get-service-accounts');
  const person = useQuery({ ...personQuery(id ?? ''), enabled: id !== undefined && mayGetMembers });
  const isPerson = person.data !== undefined || (mayGetMembers && !person.isError);
  const account = useQuery({
    ...serviceAccountQuery(id ?? ''),
    enabled: id !== undefined && mayGetAccounts && !isPerson,
  });
  return id === undefined ? undefined : (person.data?.name ?? account.data?.name);
}
