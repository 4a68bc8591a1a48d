/** Strings, keys with their colon, and marks outside of them. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*(:))?|[[\]{},]/g;

interface Container {
  /** Undefined for an array. */
  readonly fields: Set<string> | undefined;
  /** The current field or index. */
  place: string | number;
}

/**
 * Finds the first field that an object has twice. Parsers disagree on which one counts (RFC 8259 §4), so a proxy might
 * have checked the other one.
 *
 * @param json valid JSON
 * @returns the path of the field, such as `limits.1.max`
 */
export function findDuplicateField(json: string): string | undefined {
  const open: Container[] = [];
  for (const [token, colon] of json.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === '{') open.push({ fields: new Set(), place: '' });
    else if (token === '[') open.push({ fields: undefined, place: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && typeof inner?.place === 'number') inner.place += 1;
    else if (colon !== undefined && inner?.fields !== undefined) {
      const name = String(JSON.parse(token.slice(0, -1)));
      inner.place = name;
      if (inner.fields.has(name)) return open.map(({ place }) => place).join('.');
      inner.fields.add(name);
    }
  }
  return undefined;
}
