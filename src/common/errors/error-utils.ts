/*
 * What can be learned from whatever was thrown. Read by shape, since an error that Node itself raises is no
 * `instanceof` the `Error` of another context, such as a test's.
 */

/** The system's code of an error (`EACCES`), or PostgreSQL's (`57P03`). */
export function errorCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** Such as `AbortError`. */
export function errorName(error: unknown): string | undefined {
  return textOf(error, 'name');
}

/** The message of whatever was thrown. */
export function errorMessage(error: unknown): string {
  return textOf(error, 'message') ?? String(error);
}

function textOf(error: unknown, property: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, property) : undefined;
  return typeof value === 'string' ? value : undefined;
}
