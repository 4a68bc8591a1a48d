import { List, OrderedMap } from 'immutable';

/**
 * Returns a value of JSON as Swagger UI keeps it. Its own conversion builds each map and list twice, which takes a slow
 * phone half a second for the OpenAPI document; values that are converted already are left as they are.
 */
export function toImmutable(value: unknown): unknown {
  if (Array.isArray(value)) return List(value.map(toImmutable));
  if (typeof value !== 'object' || value === null) return value;
  return OrderedMap<string, unknown>().withMutations((map) => {
    for (const [name, item] of Object.entries(value)) map.set(name, toImmutable(item));
  });
}
