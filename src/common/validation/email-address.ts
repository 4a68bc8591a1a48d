// Imported by the dashboard as well: no dependencies.

/** The longest address in code points (RFC 5321 §4.5.3.1.3, less the angle brackets). */
export const longestEmailAddress = 254;

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const shape = new RegExp(`^(?=.{3,${longestEmailAddress}}$)[^\\s@]+@[^\\s@]+$`, 'u');

/**
 * Whether the text looks like an address that mail could be sent to. Rejects invisible characters, and look-alikes that
 * Unicode compatibility normalization would replace, such as U+212A KELVIN SIGN for K: two different addresses must
 * never become the same account.
 */
export function isEmailAddress(text: string): boolean {
  return shape.test(text) && !hidden.test(text) && isNormalized(text);
}

/**
 * The form in which addresses are stored and compared: trimmed, NFKC, lower case. An address that is not in NFKC stays
 * as it is, so that it equals no stored one: replacing its characters would turn it into someone else's address.
 */
export function normalizeEmail(email: string): string {
  const trimmed = email.trim();
  return isNormalized(trimmed) ? trimmed.toLowerCase().normalize('NFKC') : trimmed;
}

function isNormalized(text: string): boolean {
  return text.normalize('NFKC') === text;
}
