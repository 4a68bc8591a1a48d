import type { Rule } from './section.js';

/** Longest name of a model. */
export const largestNameLength = 200;

/** A text of one line that passes `isAllowed`. */
const text = (allowed: string, isAllowed: (value: string) => boolean): Rule<string> => ({
  allowed,
  parse: (value) => (typeof value === 'string' && isAllowed(value) ? value : undefined),
});

/** A name that requests and answers can hold: no control characters, no spaces at its ends. */
export const name = text(
  `text of 1 to ${largestNameLength} characters, without control characters and spaces at its ends`,
  (value) => value.trim() === value && /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u.test(value),
);

/** Any text, such as a prefix whose last space counts. */
export const anyText = text('text', () => true);

export const nonEmptyText = text('text, and not empty', (value) => value.trim() !== '');

/** The name of a variable, in capitals: a key that was pasted here by mistake is refused without being shown. */
export const variableName = text(
  'the name of an environment variable in capitals, such as OPENAI_API_KEY (the name, not the key itself)',
  (value) => /^[A-Z_][A-Z0-9_]*$/.test(value),
);

export const trueOrFalse: Rule<boolean> = {
  allowed: 'true or false',
  parse: (value) => (typeof value === 'boolean' ? value : undefined),
};

/** Above 0, and finite. */
export const weight: Rule<number> = {
  allowed: 'a number above 0 and at most 1000000',
  parse: (value) => (typeof value === 'number' && value > 0 && value <= 1_000_000 ? value : undefined),
};

export const wholeNumber = (lowest: number, highest: number): Rule<number> => ({
  allowed: `a whole number from ${lowest} to ${highest}`,
  parse: (value) => (Number.isInteger(value) && isBetween(Number(value), lowest, highest) ? Number(value) : undefined),
});

export const oneOf = <Choice extends string>(choices: readonly Choice[]): Rule<Choice> => ({
  allowed: choices.length === 1 ? `${choices[0]}` : `one of ${choices.join(', ')}`,
  parse: (value) => choices.find((choice) => choice === value),
});

/** A list of at least so many items that all pass `rule`. */
export const listOf = <Item>(rule: Rule<Item>, fewestItems = 0): Rule<Item[]> => ({
  allowed: `a list${fewestItems > 0 ? ` of at least ${fewestItems}` : ''}, each item ${rule.allowed}`,
  parse: (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map((item) => rule.parse(item)).filter((item) => item !== undefined);
    return items.length >= fewestItems && items.length === value.length ? items : undefined;
  },
});

/** A day, as Unix seconds. */
export const day: Rule<number> = {
  allowed: 'a day since 1970 like 2024-01-25',
  parse: (value) => {
    if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
    const date = new Date(`${value}T00:00:00Z`);
    const isReal = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
    return isReal && date.getTime() >= 0 ? date.getTime() / 1000 : undefined;
  },
};

/** A server's address, without a slash at its end. */
export const baseUrl: Rule<string> = {
  allowed: 'an http or https URL like https://api.openai.com/v1, without credentials, query and fragment',
  parse: (value) => {
    if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
    const url = new URL(value);
    const isAllowed = ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
    // A lone "?" or "#" is in `href` but in no other part.
    return isAllowed && !/[?#]/.test(url.href) ? url.href.replace(/\/+$/, '') : undefined;
  },
};

function isBetween(value: number, lowest: number, highest: number): boolean {
  return value >= lowest && value <= highest;
}
