import type { SearchSchemaInput } from '@tanstack/react-router';
import { readChoice, readPage, readText } from '../../lib/search-parameters.js';

const views = ['members', 'invitations', 'service-accounts', 'removed'] as const;
type MembersView = (typeof views)[number];

/** The tab and page of the Members page. */
export interface MembersSearch {
  view: MembersView;
  page: number;
  perPage: number;
  /** Part of a name or an email. */
  search?: string;
}

export const membersSearchDefaults = { view: 'members', page: 1, perPage: 25 } as const;

/** Reads the URL's search parameters and replaces invalid values with defaults. */
export function readMembersSearch(search: Partial<MembersSearch> & SearchSchemaInput): MembersSearch {
  return {
    view: readMembersView(search.view),
    ...readPage(search, membersSearchDefaults),
    search: readText(search.search),
  };
}

/** Returns the value if it's a tab, otherwise the first tab. */
export function readMembersView(value: unknown): MembersView {
  return readChoice(value, views);
}
