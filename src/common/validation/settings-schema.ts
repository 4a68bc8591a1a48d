import { z } from 'zod';

/*
 * What the schemas of variables and of the models file share. Messages complete a sentence that begins with the name of
 * the setting. None quotes a value, which may be a misplaced secret.
 */

export const text = (error: string, isAllowed: (value: string) => boolean) =>
  z.string({ error }).refine(isAllowed, { error });

export function wholeNumber(min: number, max: number) {
  const error = `must be a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

export const nonEmptyList = <Item extends z.ZodType>(item: Item, error = 'must be a list with at least one item') =>
  z.array(item, { error }).min(1, { error });

const typeMessages: Partial<Record<string, string>> = {
  array: 'must be a list',
  boolean: 'must be true or false',
  object: 'must be a mapping, such as "key: value"',
  string: 'must be text',
};

/** Messages for checks without their own. */
const explain: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'invalid_type') return typeMessages[issue.expected];
  if (issue.code === 'invalid_value') {
    return `must be ${issue.values.length > 2 ? `one of ${issue.values.join(', ')}` : issue.values.join(' or ')}`;
  }
  const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
  return issue.code === 'unrecognized_keys' ? `is unknown; known fields are ${known.join(', ')}` : 'is not allowed';
};

/** Each unknown key is a problem of its own. */
const pathsOf = (issue: z.core.$ZodIssue) =>
  issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];

/** Either schema, chosen by the type of the input: unlike a union, with the messages of that schema. */
export const textOr = <Text extends z.ZodType, Other extends z.ZodType>(text: Text, other: Other) =>
  z.unknown().transform((input, context): z.output<Text> | z.output<Other> => {
    const result = (typeof input === 'string' ? text : other).safeParse(input, { error: explain });
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      for (const path of pathsOf(issue)) context.addIssue({ code: 'custom', message: issue.message, path });
    }
    return z.NEVER;
  });

/** Validates settings. Each problem is a sentence without a period; `nameOf` returns the name of the setting at a path. */
export function parseSettings<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  nameOf: (path: PropertyKey[]) => string,
): { settings?: z.output<Schema>; problems: string[] } {
  const { data, error } = schema.safeParse(input, { error: explain });
  const problems = (error?.issues ?? []).flatMap((issue) =>
    pathsOf(issue).map((path) => `${nameOf(path)} ${issue.message}`),
  );
  // A value can violate several parts of one rule.
  return { settings: data, problems: [...new Set(problems)] };
}
