// Addresses are typed and edited by people: whatever the types say, what arrives here may be anything.

interface PageSearch {
  page: number;
  perPage: number;
}

const largestPage = 100;

/** Which page of a table, and how long it is; anything that is neither becomes the default. */
export function readPage(search: { page?: unknown; perPage?: unknown }, defaults: PageSearch): PageSearch {
  return {
    page: readCount(search.page, Number.MAX_SAFE_INTEGER) ?? defaults.page,
    perPage: readCount(search.perPage, largestPage) ?? defaults.perPage,
  };
}

/** One of the values that are allowed, or the first of them. */
export function readChoice<Choice extends string>(value: unknown, choices: readonly [Choice, ...Choice[]]): Choice {
  return choices.find((choice) => choice === value) ?? choices[0];
}

/** A text as it was typed, if any: the router reads `?name=2024` as a number. */
export function readText(value: unknown): string | undefined {
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isText && String(value) !== '' ? String(value) : undefined;
}

function readCount(value: unknown, largest: number): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= largest ? value : undefined;
}
