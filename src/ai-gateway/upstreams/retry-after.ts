/**
 * What a `Retry-After` header says, in whole seconds from now; undefined when it says nothing that can be read.
 *
 * @param header seconds, or a date (RFC 9110 §10.2.3)
 * @param nowMilliseconds Unix time
 */
export function readRetryAfterSeconds(header: string | undefined, nowMilliseconds: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Math.max(1, Number(header));
  const date = /^[A-Z]/i.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(date) ? undefined : Math.max(1, Math.ceil((date - nowMilliseconds) / 1000));
}
