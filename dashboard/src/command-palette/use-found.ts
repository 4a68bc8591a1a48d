import { nameLength } from '@rules/text-rules.js';
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { apiKeysQuery, tagsQuery } from '../common/api-keys/api-keys.js';
import { matchingTags } from '../common/api-keys/matching-tags.js';
import { apiKeysSearchDefaults, readSearchText } from '../common/api-keys/search.js';
import { servedModelsQuery } from '../common/models/models.js';
import { organizationsQuery } from '../common/organizations/organizations.js';
import { formerMembersQuery } from '../common/people/people.js';
import { rolesQuery } from '../common/roles/roles.js';
import { deletedKeysQuery } from '../features/audit-log/deleted-keys.js';
import { membersQuery } from '../features/members/members.js';
import { serviceAccountsQuery } from '../features/service-accounts/service-accounts.js';
import { foldText } from '../lib/fold-text.js';
import { useMe, usePermission } from '../session/me.js';

/** How many results of each kind are listed. */
const maxFound = 5;

const contains = (name: string, text: string) => foldText(name).includes(foldText(text));

/** Whether a search waits for its response, also while it shows the results for the previous text, or has failed. */
export function stateOf(
  { isPending, isPlaceholderData, isError }: Pick<UseQueryResult, 'isPending' | 'isPlaceholderData' | 'isError'>,
  isEnabled: boolean,
) {
  return { isPending: isEnabled && (isPending || isPlaceholderData), hasFailed: isEnabled && isError };
}

/** The newest keys whose name contains the text, or that start like a pasted key, and how many there are. */
export function useFoundKeys(text: string) {
  const isEnabled = usePermission('get-api-keys') && text !== '';
  const query = apiKeysQuery({ ...apiKeysSearchDefaults, ...readSearchText(text), perPage: maxFound });
  const result = useQuery({ ...query, enabled: isEnabled, placeholderData: keepPreviousData });
  const { apiKeys: found, total } = (isEnabled ? result.data : undefined) ?? { apiKeys: [], total: 0 };
  return { found, total, ...stateOf(result, isEnabled) };
}

/** The first tags of keys that contain the text. */
export function useFoundTags(text: string) {
  const isEnabled = usePermission('get-api-keys') && text !== '';
  const result = useQuery({ ...tagsQuery, enabled: isEnabled });
  const found = isEnabled ? matchingTags(result.data ?? [], text).slice(0, maxFound) : [];
  return { found, ...stateOf(result, isEnabled) };
}

/** Members whose name or email contains the text, unless it starts like a key. */
export function useFoundMembers(text: string) {
  const isEnabled = usePermission('get-members') && text !== '' && readSearchText(text).hint === undefined;
  const result = useQuery({ ...membersQuery({ page: 1, perPage: maxFound, search: text }), enabled: isEnabled });
  return { found: isEnabled ? (result.data?.members ?? []) : [], ...stateOf(result, isEnabled) };
}

/** Service accounts whose name contains the text, unless it starts like a key. */
export function useFoundServiceAccounts(text: string) {
  const search = readSearchText(text);
  const isEnabled = usePermission('get-service-accounts') && text !== '' && search.hint === undefined;
  const query = serviceAccountsQuery({ page: 1, perPage: maxFound, search: text });
  const result = useQuery({ ...query, enabled: isEnabled });
  return { found: isEnabled ? (result.data?.serviceAccounts ?? []) : [], ...stateOf(result, isEnabled) };
}

/** The first roles whose name contains the text. */
export function useFoundRoles(text: string) {
  const isEnabled = usePermission('get-roles') && text !== '';
  const result = useQuery({ ...rolesQuery, enabled: isEnabled });
  const roles = isEnabled ? (result.data?.roles ?? []) : [];
  const found = roles.filter(({ name }) => contains(name, text)).slice(0, maxFound);
  return { found, ...stateOf(result, isEnabled) };
}

/** The first models whose id or an alias contains the text; `alias` if only that does. */
export function useFoundModels(text: string) {
  const isEnabled = text !== '';
  const result = useQuery({ ...servedModelsQuery, enabled: isEnabled });
  const models = isEnabled ? (result.data?.models ?? []) : [];
  const found = models.flatMap(({ id, aliases }): { id: string; alias?: string }[] => {
    if (contains(id, text)) return [{ id }];
    const alias = aliases.find((name) => contains(name, text));
    return alias === undefined ? [] : [{ id, alias }];
  });
  return { found: found.slice(0, maxFound), ...stateOf(result, isEnabled) };
}

/** Removed members whose name or email contains the text, unless it starts like a key. */
export function useFoundFormerMembers(text: string) {
  const isEnabled = usePermission('get-members') && text !== '' && readSearchText(text).hint === undefined;
  const query = formerMembersQuery({ page: 1, perPage: maxFound, search: text });
  const result = useQuery({ ...query, enabled: isEnabled });
  return { found: isEnabled ? (result.data?.formerMembers ?? []) : [], ...stateOf(result, isEnabled) };
}

/** Deleted keys whose name contains the text, unless it starts like a key. */
export function useFoundDeletedKeys(text: string) {
  const isSearchable = text !== '' && text.length <= nameLength.max && readSearchText(text).hint === undefined;
  const isEnabled = usePermission('get-audit-events') && isSearchable;
  const result = useQuery({ ...deletedKeysQuery(text), enabled: isEnabled, placeholderData: keepPreviousData });
  const found = isEnabled ? (result.data?.apiKeys ?? []).slice(0, maxFound) : [];
  return { found, ...stateOf(result, isEnabled) };
}

/** The user's other organizations whose name contains the text. */
export function useFoundOrganizations(text: string) {
  const { organization } = useMe();
  const isEnabled = text !== '';
  const result = useQuery({ ...organizationsQuery, enabled: isEnabled });
  const others = isEnabled ? (result.data?.organizations ?? []).filter(({ id }) => id !== organization.id) : [];
  const found = others.filter(({ name }) => contains(name, text)).slice(0, maxFound);
  return { found, ...stateOf(result, isEnabled) };
}
