/** Returns the message of an error, or any other thrown value as text. */
export function errorMessage(error: unknown): string {
  const isError = typeof error === 'object' && error !== null && 'message' in error;
  return String(isError ? error.message : error);
}
