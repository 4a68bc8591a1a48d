import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice, readPage, readText } from '../../../lib/search-parameters.js';

/** Which page of which keys, in which order. */
export interface ApiKeysSearch {
  page: number;
  perPage: number;
  orderBy: 'createdAt' | 'name';
  order: 'ASC' | 'DESC';
  /** Part of the names. */
  name?: string;
}

/** What an address without parameters shows. */
export const apiKeysSearchDefaults = { page: 1, perPage: 25, orderBy: 'createdAt', order: 'DESC' } as const;

/** What the address says; the defaults in place of what makes no sense. */
export function readApiKeysSearch(search: Partial<ApiKeysSearch> & SearchSchemaInput): ApiKeysSearch {
  return {
    ...readPage(search, apiKeysSearchDefaults),
    orderBy: readChoice(search.orderBy, ['createdAt', 'name']),
    order: readChoice(search.order, ['DESC', 'ASC']),
    name: readText(search.name),
  };
}
