import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice, readPage, readText } from '../../../lib/search-parameters.js';

/** URL parameters of the API keys page. */
export interface ApiKeysSearch {
  page: number;
  perPage: number;
  orderBy: 'createdAt' | 'name';
  order: 'ASC' | 'DESC';
  /** Part of the name. */
  name?: string;
}

/** Defaults for missing URL parameters. */
export const apiKeysSearchDefaults = { page: 1, perPage: 25, orderBy: 'createdAt', order: 'DESC' } as const;

/** Reads the URL parameters. Invalid values become the defaults. */
export function readApiKeysSearch(search: Partial<ApiKeysSearch> & SearchSchemaInput): ApiKeysSearch {
  return {
    ...readPage(search, apiKeysSearchDefaults),
    orderBy: readChoice(search.orderBy, ['createdAt', 'name']),
    order: readChoice(search.order, ['DESC', 'ASC']),
    name: readText(search.name),
  };
}
