type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Returns a part of an OpenAPI document with its references replaced by what they refer to. Swagger UI's own resolver
 * parses the whole document again for each operation that is opened, which takes half a second.
 *
 * @param path names of properties, such as `['paths', '/api-keys', 'get']`
 */
export function resolveSubtree(document: Json, path: readonly string[]): Json {
  return resolve(find(document, path), document, []);
}

/** @param within the references around this value, which are followed once only */
function resolve(value: Json, document: Json, within: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item) => resolve(item, document, within));
  if (!isRecord(value)) return value;
  const { $ref: reference, ...others } = value;
  if (typeof reference !== 'string') {
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, resolve(item, document, within)]));
  }
  if (within.includes(reference)) return value;
  const target = resolve(find(document, readPointer(reference)), document, [...within, reference]);
  return isRecord(target) ? { ...target, ...others } : target;
}

/** Splits a JSON Pointer (RFC 6901) such as `#/components/schemas/Role`. */
function readPointer(reference: string): string[] {
  return reference
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function find(document: Json, path: readonly string[]): Json {
  return path.reduce<Json>((found, name) => (isRecord(found) ? (found[name] ?? null) : null), document);
}

function isRecord(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
