/*
 * Properties of any thrown value. Read without `instanceof`, because errors from another realm, such as Jest's, aren't
 * instances of this realm's `Error`.
 */

/** The error code of the system (`EACCES`) or of PostgreSQL (`57P03`). */
export function errorCode(error: unknown): string | undefined {
  return textOf(error, 'code');
}

/**
 * SQLSTATE classes of errors that the values of a statement cause: 21 (cardinality violations, such as two rows with one
 * key), 22 (data), 23 (integrity constraints) and 54 (values that are too large for a limit of PostgreSQL).
 */
const valueErrors = /^(21|22|23|54)[0-9A-Z]{3}$/;

/** Whether values of a statement made PostgreSQL reject it. With other values, it would succeed. */
export function isCausedByValues(error: unknown): boolean {
  return valueErrors.test(errorCode(error) ?? '');
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
