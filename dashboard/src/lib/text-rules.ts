import { isEmailAddress } from '@rules/email-address.js';
import { countCodePoints, isName, isNewPassword, isVisible, nameLength, passwordLength } from '@rules/text-rules.js';
import { pluralize } from './format-numbers.js';

/**
 * The `maxLength` of a field whose text may have `max` code points. Browsers count UTF-16 units and cut off pasted text
 * silently, so what remains of a text that is too long must still be too long.
 */
export const fieldLength = (max: number): number => 2 * max + 1;

// The service's validation rules, checked while the user types. Each check returns an error message or `undefined`.

/** Checks the name of an API key, role, organization or user. */
export function checkName(name: string): string | undefined {
  const problem = checkUnfinishedName(name);
  if (problem !== undefined) return problem;
  return isName(name.trim()) ? undefined : `Use at least ${nameLength.min} characters.`;
}

/** Checks a name that the user is still typing, so it may be too short. */
export function checkUnfinishedName(name: string): string | undefined {
  const trimmed = name.trim();
  if (!isVisible(trimmed)) return 'Remove tabs, control characters and invisible characters.';
  return countCodePoints(trimmed) > nameLength.max ? `Use at most ${nameLength.max} characters.` : undefined;
}

/**
 * Whether a name was typed as asked for. Keyboards can't type every form of a character, such as a decomposed é or a
 * no-break space, so forms that look the same match. Upper and lower case match, too, because phones capitalize words.
 */
export function isTypedName(typed: string, name: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase();
  return fold(typed.trim()) === fold(name);
}

/** Checks the format of an email. Leading and trailing spaces are ignored. */
export function checkEmail(text: string): string | undefined {
  return isEmailAddress(text.trim()) ? undefined : 'Enter an email, such as ada@example.com.';
}

/** Checks a new password. */
export function checkNewPassword(text: string): string | undefined {
  if (isNewPassword(text)) return undefined;
  const { min, max } = passwordLength;
  const length = countCodePoints(text);
  if (length < min) return `Use at least ${min} characters.`;
  return length > max ? `Use at most ${max} characters.` : 'Remove tabs and control characters.';
}

/** Describes the length requirement while the user types, such as "5 more characters". */
export function explainPasswordLength(text: string): string {
  const { min } = passwordLength;
  const missing = min - countCodePoints(text);
  if (missing === min) return `At least ${min} characters. A few random words work well.`;
  if (missing > 0) return pluralize(missing, 'more character');
  return checkNewPassword(text)?.replace(/\.$/, '') ?? 'Long enough';
}
