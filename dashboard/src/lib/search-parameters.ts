// Users can edit URLs, so the values may be of any type.

interface PageSearch {
  page: number;
  perPage: number;
}

const maxPerPage = 100;

/** Reads the page and page size of a table. Invalid values become the defaults. */
export function readPage(search: { page?: unknown; perPage?: unknown }, defaults: PageSearch): PageSearch {
  return {
    page: readCount(search.page, Number.MAX_SAFE_INTEGER) ?? defaults.page,
    perPage: readCount(search.perPage, maxPerPage) ?? defaults.perPage,
  };
}

/** Reads one of the allowed values. Any other value becomes the first one. */
export function readChoice<Choice extends string>(value: unknown, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}

/** Reads text, if any. The router parses `?name=2024` as a number. */
export function readText(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText && String(value) !== '' ? String(value) : undefined;
}

/** Reads an id. The service would reject anything else. */
export function readId(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ? value : undefined;
}

/** Reads an array or a single value, each once. Leaves invalid values out, and returns undefined if none is left. */
export function readMany(value: unknown, read: (value: unknown) => string | undefined, max: number) {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const valid = new Set(values.flatMap((one) => read(one) ?? []));
  return valid.size === 0 ? undefined : [...valid].slice(0, max);
}

/** Returns what to search for. The URL keeps the text as it was typed, with spaces around it. */
export function toSearchText(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed === '' ? undefined : trimmed;
}

function readCount(value: unknown, max: number): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max ? value : undefined;
}
