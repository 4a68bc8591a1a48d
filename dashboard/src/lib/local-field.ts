/** Formats a time, in milliseconds since 1970, for a `datetime-local` field, to the minute. */
export function toLocalField(time: number): string {
  const offsetMilliseconds = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offsetMilliseconds).toISOString().slice(0, 16);
}
