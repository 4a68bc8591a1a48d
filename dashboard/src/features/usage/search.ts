import type { SearchSchemaInput } from '@tanstack/react-router';
import { readPage } from '../../components/search-parameters.js';

export interface UsageSearch {
  page: number;
  perPage: number;
}

/** What an address without parameters shows. */
export const usageSearchDefaults = { page: 1, perPage: 25 } as const;

/** What the address says; the defaults in place of what makes no sense. */
export function readUsageSearch(search: Partial<UsageSearch> & SearchSchemaInput): UsageSearch {
  return readPage(search, usageSearchDefaults);
}
