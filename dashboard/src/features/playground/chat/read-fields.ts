type Fields = Readonly<Record<string, unknown>>;

/** Returns what is at a path of a JSON value; undefined if it isn't there. Numbers are positions in lists. */
export function valueAt(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((container, key) => (isObject(container) ? container[key] : undefined), value);
}

/** Returns the text at a path, or an empty string. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  const text = valueAt(value, ...path);
  return typeof text === 'string' ? text : '';
}

/** Returns the count at a path, if it has one. */
export function countAt(value: unknown, ...path: (string | number)[]): number | undefined {
  const count = valueAt(value, ...path);
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}

/** Parses JSON; undefined if the text isn't JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
