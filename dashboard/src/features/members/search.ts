import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice, readPage, readText } from '../../lib/search-parameters.js';

/** The tab and page of the Members page. */
export interface MembersSearch {
  view: 'members' | 'invitations';
  page: number;
  perPage: number;
  /** Part of a name or an email. */
  search?: string;
}

export const membersSearchDefaults = { view: 'members', page: 1, perPage: 25 } as const;

/** Reads the URL's search parameters and replaces invalid values with defaults. */
export function readMembersSearch(search: Partial<MembersSearch> & SearchSchemaInput): MembersSearch {
  return {
    view: readChoice(search.view, ['members', 'invitations']),
    ...readPage(search, membersSearchDefaults),
    search: readText(search.search),
  };
}
