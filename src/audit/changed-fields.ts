import { isDeepStrictEqual } from 'node:util';

/**
 * What a change would really change, as an audit event tells it.
 *
 * @param current the thing as it is
 * @param wanted the fields to set; those that are undefined stay
 * @returns undefined when nothing would change
 */
export function changedFields<Thing extends object>(
  current: Thing,
  wanted: { [Field in keyof Thing]?: Thing[Field] | undefined },
): { before: Partial<Thing>; after: Partial<Thing> } | undefined {
  const fields = (Object.keys(wanted) as (keyof Thing)[]).filter(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], current[field]),
  );
  if (fields.length === 0) return undefined;
  const pick = (thing: { [Field in keyof Thing]?: Thing[Field] | undefined }) =>
    Object.fromEntries(fields.map((field) => [field, thing[field]])) as Partial<Thing>;
  return { before: pick(current), after: pick(wanted) };
}
