/** What the search finds: an operation, or a section of the page. */
export interface Entry {
  /** Such as "POST /api-keys", or the name of the section. */
  title: string;
  /** What an operation does. */
  summary: string;
  /** Starts with `#`. */
  link: string;
}

const maxResults = 12;

/** Entries with all words of the text; those that have them in the title first. */
export function findEntries(entries: readonly Entry[], text: string): Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const includesAll = (...texts: string[]) => words.every((word) => texts.join(' ').toLowerCase().includes(word));
  const found = entries.filter(({ title, summary }) => includesAll(title, summary));
  const isFirst = ({ title }: Entry) => includesAll(title);
  return [...found.filter(isFirst), ...found.filter((entry) => !isFirst(entry))].slice(0, maxResults);
}
