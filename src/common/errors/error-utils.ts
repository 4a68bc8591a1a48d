/*
 * Properties of any thrown value. Read without `instanceof`, because errors from another realm, such as Jest's, aren't
 * instances of this realm's `Error`.
 */

/** The error code of the system (`EACCES`) or of PostgreSQL (`57P03`). */
export function errorCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/** The name of an error, such as `AbortError`. */
export function errorName(error: unknown): string | undefined {
  return textOf(error, 'name');
}

/** The message of an error, or any other thrown value as text. */
export function errorMessage(error: unknown): string {
  return textOf(error, 'message') ?? String(error);
}

function textOf(error: unknown, property: string): string | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, property) : undefined;
  return typeof value === 'string' ? value : undefined;
}
