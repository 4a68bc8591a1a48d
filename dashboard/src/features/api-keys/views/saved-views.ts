import { foldText } from '../../../lib/fold-text.js';
import { type ApiKeysSearch, readStoredSearch } from '../../../common/api-keys/search.js';

/** The filters and order of a list of keys. */
export type ViewSearch = Omit<ApiKeysSearch, 'page' | 'perPage'>;

/** Filters and order that the user has named. */
export interface SavedView {
  name: string;
  search: ViewSearch;
}

/** How many views an organization can have in one browser. */
export const maxViews = 20;

/** The filters and order of a search, without its page. */
export function viewOf({ orderBy, order, name, hint, state, creatorId, tag }: ApiKeysSearch): ViewSearch {
  return { orderBy, order, name, hint, state, creatorId, tag };
}

/** Whether two searches show the same keys in the same order. */
export function isSameView(one: ViewSearch, other: ViewSearch): boolean {
  return JSON.stringify(viewOf({ ...noPage, ...one })) === JSON.stringify(viewOf({ ...noPage, ...other }));
}

const noPage = { page: 1, perPage: 1 };

/** Whether two names look the same. */
export const isSameName = (one: string, other: string): boolean => foldText(one) === foldText(other);

/** Reads stored views. What isn't one, such as a view of another version, is left out; unknown filters are ignored. */
export function parseViews(text: string | null): SavedView[] {
  const items = parse(text);
  const views = Array.isArray(items) ? items.flatMap(readView) : [];
  const isFirst = ({ name }: SavedView, index: number) =>
    views.findIndex((other) => isSameName(other.name, name)) === index;
  return views.filter(isFirst).slice(0, maxViews);
}

function readView(item: unknown): SavedView[] {
  if (typeof item !== 'object' || item === null) return [];
  const { name, search }: { name?: unknown; search?: unknown } = item;
  if (typeof name !== 'string' || typeof search !== 'object' || search === null) return [];
  return [{ name, search: viewOf(readStoredSearch(search)) }];
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
}
