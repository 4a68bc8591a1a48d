// Shared with the dashboard, so no dependencies.

/** Maximum length of an email in code points (RFC 5321 §4.5.3.1.3, minus the angle brackets). */
export const maxEmailLength = 254;

const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/u;
const shape = new RegExp(`^(?=.{3,${maxEmailLength}}$)[^\\s@]+@[^\\s@]+$`, 'u');

/**
 * Whether the text looks like an email. Rejects invisible characters, and look-alikes that Unicode compatibility
 * normalization would replace, such as U+212A KELVIN SIGN for K: two different emails must never become one account.
 */
export function isEmailAddress(text: string): boolean {
  return shape.test(text) && !hidden.test(text) && isNormalized(text);
}

/**
 * The form in which emails are stored and compared: trimmed, NFKC, lower case. An email that isn't in NFKC is only
 * trimmed, so that it matches no stored one: replacing its characters could turn it into someone else's email.
 */
export function normalizeEmail(email: string): string {
  const trimmed = email.trim();
  return isNormalized(trimmed) ? trimmed.toLowerCase().normalize('NFKC') : trimmed;
}

function isNormalized(text: string): boolean {
  return text.normalize('NFKC') === text;
}
