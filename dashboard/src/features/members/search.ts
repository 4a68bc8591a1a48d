import type { SearchSchemaInput } from '@tanstack/react-router';
import { readPage } from '../../components/search-parameters.js';

export interface MembersSearch {
  page: number;
  perPage: number;
}

/** What an address without parameters shows. */
export const membersSearchDefaults = { page: 1, perPage: 25 } as const;

/** What the address says; the defaults in place of what makes no sense. */
export function readMembersSearch(search: Partial<MembersSearch> & SearchSchemaInput): MembersSearch {
  return readPage(search, membersSearchDefaults);
}
