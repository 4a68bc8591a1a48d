/**
 * Canonical JSON (RFC 8785): without spaces, with fields sorted by their UTF-16 code units, and numbers and text as
 * `JSON.stringify` writes them. Undefined fields are left out.
 *
 * @param value of JSON; text without lone surrogates, which PostgreSQL doesn't store
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
}
