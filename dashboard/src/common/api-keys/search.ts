import type { SearchSchemaInput } from '@tanstack/react-router';
import { isTag, normalizeTag } from '@rules/tag-rules.js';
import { readChoice, readId, readPage, readText } from '../../lib/search-parameters.js';

/** URL parameters of the API keys page. */
export interface ApiKeysSearch {
  page: number;
  perPage: number;
  orderBy: (typeof sortKeys)[number];
  order: 'ASC' | 'DESC';
  /** Part of the name. */
  name?: string;
  /** The first 8 characters of a key. */
  hint?: string;
  state?: ApiKeyState;
  /** Id of the user or service account that created the keys. */
  creatorId?: string;
  tag?: string;
}

type ApiKeyState = (typeof keyStates)[number];

const sortKeys = ['createdAt', 'name', 'lastUsedAt', 'expiresAt', 'creator'] as const;

/** States that the list can be filtered by. */
export const keyStates = [
  'active',
  'disabled',
  'expired',
  'expiring',
  'unused',
  'leaked',
  'known-to-former-members',
] as const;

/**
 * Returns the URL parameters for a search text. Of a pasted key, only the first 8 characters are used: the rest must not
 * leave the page.
 */
export function readSearchText(text: string | undefined): Pick<ApiKeysSearch, 'name' | 'hint'> {
  const hint = text === undefined ? undefined : /^\s*(kc_[0-9A-Za-z]{5})/.exec(text)?.[1];
  return hint === undefined ? { name: text, hint: undefined } : { name: undefined, hint };
}

/** Reads a tag, if it's a valid one. */
export function readTag(value: unknown): string | undefined {
  const tag = normalizeTag(readText(value) ?? '');
  return isTag(tag) ? tag : undefined;
}

/** Clears the filters. */
export const noFilters = { name: undefined, hint: undefined, state: undefined, tag: undefined, creatorId: undefined };

/** Whether some keys may be filtered out. */
export function isFiltered({ name, hint, state, tag, creatorId }: ApiKeysSearch): boolean {
  return [name, hint, state, tag, creatorId].some((filter) => filter !== undefined);
}

/** Defaults for missing URL parameters. */
export const apiKeysSearchDefaults = { page: 1, perPage: 25, orderBy: 'createdAt', order: 'DESC' } as const;

/** Reads the URL parameters. Invalid values become the defaults. */
export function readApiKeysSearch(search: Partial<ApiKeysSearch> & SearchSchemaInput): ApiKeysSearch {
  return readStoredSearch(search);
}

/** Reads a search that was stored before. Invalid values become the defaults. */
export function readStoredSearch(search: Partial<ApiKeysSearch>): ApiKeysSearch {
  return {
    ...readPage(search, apiKeysSearchDefaults),
    orderBy: readChoice(search.orderBy, sortKeys),
    order: readChoice(search.order, ['DESC', 'ASC']),
    name: readText(search.name),
    hint: readSearchText(readText(search.hint)).hint,
    state: keyStates.find((state) => state === search.state),
    creatorId: readId(search.creatorId),
    tag: readTag(search.tag),
  };
}
