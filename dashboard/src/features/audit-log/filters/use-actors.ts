import { useQuery } from '@tanstack/react-query';
import type { AuditActor } from '../../../api/schema.js';
import { foldText } from '../../../lib/fold-text.js';
import { usePermission } from '../../../session/me.js';
import { serviceAccountsQuery } from '../../service-accounts/service-accounts.js';
import { usePeople } from './use-people.js';

/** A person or service account whose events can be searched for. */
export interface Actor {
  /** The email of a person, or the id of a service account. */
  key: string;
  isServiceAccount: boolean;
  /** Always known for service accounts, and for members if the user can list those. */
  name?: string;
}

interface ActorOptions {
  /** Part of a name or an email. */
  text: string;
  /** The emails of people in events, such as former members. */
  emails: string[];
  accounts: Actor[];
  /** Whether to search members, too. */
  searchesMembers: boolean;
}

/** Finds people by name or email, then service accounts by name. */
export function useActors({ text, emails, accounts, searchesMembers }: ActorOptions): Actor[] {
  const people = usePeople({ text, emails, searchesMembers });
  return [
    ...people.map(({ email, ...person }) => ({ key: email, isServiceAccount: false, ...person })),
    ...accounts.filter(({ name = '' }) => foldText(name).includes(foldText(text.trim()))),
  ];
}

/**
 * The service accounts in events, which may be deleted, and the organization's.
 *
 * @param isNeeded whether to load those of the organization
 */
export function useServiceAccounts(actorsOfEvents: readonly AuditActor[], isNeeded: boolean): Actor[] {
  const maySeeAll = usePermission('get-service-accounts');
  const { data } = useQuery({ ...serviceAccountsQuery({ page: 1, perPage: 100 }), enabled: isNeeded && maySeeAll });
  const names = new Map<string, string>();
  for (const { kind, id, name } of actorsOfEvents) {
    if (kind === 'service-account' && id !== null) names.set(id, name ?? id);
  }
  for (const { id, name } of data?.serviceAccounts ?? []) names.set(id, name);
  return [...names].map(([key, name]) => ({ key, name, isServiceAccount: true }));
}
