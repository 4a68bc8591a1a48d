import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice, readPage, readText } from '../../lib/search-parameters.js';

/** Which page of the members, or of the invitations. */
export interface MembersSearch {
  view: 'members' | 'invitations';
  page: number;
  perPage: number;
  /** Part of the members' names or emails. */
  search?: string;
}

/** What an address without parameters shows. */
export const membersSearchDefaults = { view: 'members', page: 1, perPage: 25 } as const;

/** What the address says; the defaults in place of what makes no sense. */
export function readMembersSearch(search: Partial<MembersSearch> & SearchSchemaInput): MembersSearch {
  return {
    view: readChoice(search.view, ['members', 'invitations']),
    ...readPage(search, membersSearchDefaults),
    search: readText(search.search),
  };
}
