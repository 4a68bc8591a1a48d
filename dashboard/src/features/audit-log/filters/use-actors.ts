import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { AuditActorList } from '../../../api/schema.js';
import { foldText } from '../../../lib/fold-text.js';
import { queryClient } from '../../../query-client.js';
import { auditActorsQuery } from '../audit-events.js';

/** A person or service account whose events can be searched for. */
export interface Actor {
  /** The email of a person, or the id of a service account. */
  key: string;
  isServiceAccount: boolean;
  /** Always known for service accounts, and for people with an account if the user can list members. */
  name?: string;
}

const debounceMilliseconds = 200;

/**
 * Finds people and service accounts with events by name or email, including former ones.
 *
 * @param text part of a name or an email
 * @param isNeeded whether to search
 */
export function useActors(text: string, isNeeded: boolean): Actor[] {
  const typed = text.trim();
  const [search] = useDebouncedValue(typed, debounceMilliseconds);
  const { data } = useQuery({ ...auditActorsQuery(search), enabled: isNeeded, placeholderData: keepPreviousData });
  const actors = data?.actors.flatMap(({ kind, id, email, name }): Actor[] => {
    const isServiceAccount = kind === 'service-account';
    const key = isServiceAccount ? id : email;
    return key === null ? [] : [{ key, isServiceAccount, ...(name !== null && { name }) }];
  });
  // The response may still be for the previous text.
  return (actors ?? []).filter(({ key, name = '' }) =>
    [key, name].some((part) => foldText(part).includes(foldText(typed))),
  );
}

/** Looks up the name of a service account with events; undefined while it isn't known. */
export function useActorName(id: string | undefined): string | undefined {
  const { data } = useQuery({
    ...auditActorsQuery(id ?? ''),
    enabled: id !== undefined,
    placeholderData: () => cachedActors().find((found) => found.actors.some((actor) => actor.id === id)),
  });
  return data?.actors.find((actor) => actor.id === id)?.name ?? undefined;
}

/** The results of earlier searches, such as the one that found the selected actor. */
function cachedActors() {
  const { queryKey } = auditActorsQuery('');
  const entries = queryClient.getQueriesData<AuditActorList>({ queryKey: queryKey.slice(0, -1) });
  return entries.flatMap(([, found]) => found ?? []);
}
