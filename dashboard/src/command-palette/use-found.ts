import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { apiKeysQuery, tagsQuery } from '../common/api-keys/api-keys.js';
import { matchingTags } from '../common/api-keys/matching-tags.js';
import { apiKeysSearchDefaults, readSearchText } from '../common/api-keys/search.js';
import { organizationsQuery } from '../common/organizations/organizations.js';
import { membersQuery } from '../features/members/members.js';
import { foldText } from '../lib/fold-text.js';
import { useMe, usePermission } from '../session/me.js';

/** How many keys, tags, members and organizations are listed. */
const maxFound = 5;

/** The newest keys whose name contains the text, or that start like a pasted key, and how many there are. */
export function useFoundKeys(text: string) {
  const isEnabled = usePermission('get-api-keys') && text !== '';
  const query = apiKeysQuery({ ...apiKeysSearchDefaults, ...readSearchText(text), perPage: maxFound });
  const { data, isLoading, isPlaceholderData } = useQuery({
    ...query,
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
  const { apiKeys: found, total } = (isEnabled ? data : undefined) ?? { apiKeys: [], total: 0 };
  return { found, total, isLoading, isPlaceholderData };
}

/** The first tags of keys that contain the text. */
export function useFoundTags(text: string) {
  const isEnabled = usePermission('get-api-keys') && text !== '';
  const { data, isLoading } = useQuery({ ...tagsQuery, enabled: isEnabled });
  return { found: isEnabled ? matchingTags(data ?? [], text).slice(0, maxFound) : [], isLoading };
}

/** Members whose name or email contains the text, unless it starts like a key. */
export function useFoundMembers(text: string) {
  const isEnabled = usePermission('get-members') && text !== '' && readSearchText(text).hint === undefined;
  const { data, isLoading } = useQuery({
    ...membersQuery({ page: 1, perPage: maxFound, search: text }),
    enabled: isEnabled,
  });
  return { found: isEnabled ? (data?.members ?? []) : [], isLoading };
}

/** The user's other organizations whose name contains the text. */
export function useFoundOrganizations(text: string) {
  const { organization } = useMe();
  const { data } = useQuery({ ...organizationsQuery, enabled: text !== '' });
  if (text === '') return [];
  const others = data?.organizations.filter(({ id }) => id !== organization.id) ?? [];
  return others.filter(({ name }) => foldText(name).includes(foldText(text))).slice(0, maxFound);
}
