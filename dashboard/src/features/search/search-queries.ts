import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { usePermission } from '../../session/me.js';
import { apiKeysQuery } from '../api-keys/api-keys.js';
import { apiKeysSearchDefaults, readSearchText } from '../api-keys/list/search.js';
import { membersQuery } from '../members/members.js';

const perPage = 5;

/** The newest keys whose name contains the text, or that start like a pasted key, and how many there are. */
export function useFoundKeys(text: string) {
  const isEnabled = usePermission('get-api-keys') && text !== '';
  const query = apiKeysQuery({ ...apiKeysSearchDefaults, ...readSearchText(text), perPage });
  const { data, isLoading } = useQuery({ ...query, enabled: isEnabled, placeholderData: keepPreviousData });
  const { apiKeys: found, total } = (isEnabled ? data : undefined) ?? { apiKeys: [], total: 0 };
  return { found, total, isLoading };
}

/** Members whose name or email contains the text. A pasted key must not leave the page. */
export function useFoundMembers(text: string) {
  const isEnabled = usePermission('get-members') && text !== '' && readSearchText(text).hint === undefined;
  const { data, isLoading } = useQuery({ ...membersQuery({ page: 1, perPage, search: text }), enabled: isEnabled });
  return { found: isEnabled ? (data?.members ?? []) : [], isLoading };
}
