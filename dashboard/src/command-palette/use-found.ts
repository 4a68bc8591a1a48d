import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import { apiKeysQuery, tagsQuery } from '../common/api-keys/api-keys.js';
import { matchingTags } from '../common/api-keys/matching-tags.js';
import { apiKeysSearchDefaults, readSearchText } from '../common/api-keys/search.js';
import { organizationsQuery } from '../common/organizations/organizations.js';
import { membersQuery } from '../features/members/members.js';
import { serviceAccountsQuery } from '../features/service-accounts/service-accounts.js';
import { foldText } from '../lib/fold-text.js';
import { useMe, usePermission } from '../session/me.js';

/** How many keys, tags, members, service accounts and organizations are listed. */
const maxFound = 5;

/** Whether a search waits for its response, also while it shows the results for the previous text, or has failed. */
function stateOf({ isPending, isPlaceholderData, isError }: UseQueryResult, isEnabled: boolean) {
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

/** The user's other organizations whose name contains the text. */
export function useFoundOrganizations(text: string) {
  const { organization } = useMe();
  const isEnabled = text !== '';
  const result = useQuery({ ...organizationsQuery, enabled: isEnabled });
  const others = isEnabled ? (result.data?.organizations ?? []).filter(({ id }) => id !== organization.id) : [];
  const found = others.filter(({ name }) => foldText(name).includes(foldText(text))).slice(0, maxFound);
  return { found, ...stateOf(result, isEnabled) };
}
