import path from 'node:path';
import { z } from 'zod';

// Each message completes a sentence that begins with the place in the file. None quotes a value, which may be a misplaced
// secret.

const text = (error: string, isAllowed: (value: string) => boolean) => z.string({ error }).refine(isAllowed, { error });

/** A name for requests and responses. */
export const name = text(
  'must be text of 1 to 200 characters, without control characters and leading or trailing spaces',
  (value) => value.trim() === value && /^[^\p{Cc}\p{Cs}\u2028\u2029]{1,200}$/u.test(value),
);

export const anyText = z.string({ error: 'must be text' });

export const nonEmptyText = text('must be text, and not empty', (value) => value.trim() !== '');

/** Uppercase, so that a key pasted here by mistake is rejected. */
export const variableName = text(
  'must be the name of an environment variable in uppercase, such as OPENAI_API_KEY (the name, not the key itself)',
  (value) => /^[A-Z_][A-Z0-9_]*$/.test(value),
);

export const trueOrFalse = z.boolean({ error: 'must be true or false' });

const weightError = 'must be a number above 0 and at most 1000000';
export const weight = z
  .number({ error: weightError })
  .positive({ error: weightError })
  .max(1_000_000, { error: weightError });

export function wholeNumber(lowest: number, highest: number) {
  const error = `must be a whole number from ${lowest} to ${highest}`;
  return z.int({ error }).min(lowest, { error }).max(highest, { error });
}

export const oneOf = <const Choice extends string>(choices: readonly Choice[]) =>
  z.enum(choices, { error: `must be one of ${choices.join(', ')}` });

const dayError = 'must be a date since 1970, such as 2024-01-25';
/** As Unix seconds. */
export const day = z.iso
  .date({ error: dayError })
  .transform((value) => Date.parse(value) / 1000)
  .refine((seconds) => seconds >= 0, { error: dayError });

/** Without a trailing slash. */
export const baseUrl = text(
  'must be an http or https URL like https://api.openai.com/v1, without credentials, query or fragment',
  (value) => {
    if (!URL.canParse(value)) return false;
    const { protocol, username, password, href } = new URL(value);
    // A lone "?" or "#" is in `href`, but in no other part.
    return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#]/.test(href);
  },
).transform((value) => new URL(value).href.replace(/\/+$/, ''));

/** A folder, resolved to its absolute path, or the name of a model on a hub. */
export const modelSource = (folder: string) =>
  text(
    'must be a folder like ./models/all-MiniLM-L6-v2, or a name on the hub like Xenova/all-MiniLM-L6-v2',
    (value) =>
      !value.includes('\0') && (isFolder(value) || (/^\w[\w.-]*\/\w[\w.-]*$/.test(value) && !value.includes('..'))),
  ).transform((value) => (isFolder(value) ? path.resolve(folder, value) : value));

const isFolder = (value: string) => /^\.{1,2}([/\\]|$)/.test(value) || path.isAbsolute(value);

/** A field that may be missing or empty (`field:`). */
export const optional = <Schema extends z.ZodType>(schema: Schema, fallback: z.output<Schema>) =>
  schema.nullish().transform((value) => value ?? fallback);

export const list = <Schema extends z.ZodType>(item: Schema) => z.array(item, { error: 'must be a list' });

const emptyList = 'must be a list with at least one item';
export const nonEmptyList = <Schema extends z.ZodType>(item: Schema, notList = emptyList) =>
  z.array(item, { error: notList }).min(1, { error: emptyList });

export const notMapping = 'must be a mapping, such as "key: value"';

export const mapping = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `is unknown; known fields are ${Object.keys(shape).join(', ')}` : notMapping,
  });
