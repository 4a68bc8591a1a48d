import { isDeepStrictEqual } from 'node:util';

/**
 * The fields that an update would change, as recorded in its audit event.
 *
 * @param wanted the fields to set; undefined fields stay unchanged
 * @returns undefined if nothing would change
 */
export function changedFields<Resource extends object>(
  current: Resource,
  wanted: { [Field in keyof Resource]?: Resource[Field] | undefined },
): { before: Partial<Resource>; after: Partial<Resource> } | undefined {
  const fields = (Object.keys(wanted) as (keyof Resource)[]).filter(
    (field) => wanted[field] !== undefined && !isDeepStrictEqual(wanted[field], current[field]),
  );
  if (fields.length === 0) return undefined;
  const pick = (resource: { [Field in keyof Resource]?: Resource[Field] | undefined }) =>
    Object.fromEntries(fields.map((field) => [field, resource[field]])) as Partial<Resource>;
  return { before: pick(current), after: pick(wanted) };
}
