import { isEmailAddress } from '@rules/email-address.js';
import { countCodePoints, isName, isNewPassword, isVisible, nameLength, passwordLength } from '@rules/text-rules.js';
import { countOf } from './format-numbers.js';

// The service's rules, applied while people type. Each check returns what is wrong, or `undefined`.

/** A name of a key, a role, an organization or a person. */
export function checkName(name: string): string | undefined {
  const problem = checkUnfinishedName(name);
  if (problem !== undefined) return problem;
  return isName(name.trim()) ? undefined : `Use at least ${nameLength.shortest} characters.`;
}

/** The same while a name is being typed, when it may still be too short. */
export function checkUnfinishedName(name: string): string | undefined {
  const trimmed = name.trim();
  if (!isVisible(trimmed)) return 'Remove control characters, such as tabs, and other invisible characters.';
  return countCodePoints(trimmed) > nameLength.longest ? `Use at most ${nameLength.longest} characters.` : undefined;
}

/** An address that mail could be sent to, as far as its form can tell; spaces around it are removed. */
export function checkEmailAddress(text: string): string | undefined {
  return isEmailAddress(text.trim()) ? undefined : 'Enter an email, such as ada@example.com.';
}

/** A new password. */
export function checkNewPassword(text: string): string | undefined {
  const { shortest, longest } = passwordLength;
  return isNewPassword(text) ? undefined : `Use ${shortest}–${longest} characters, without control characters.`;
}

/** How far a password is from being long enough, such as "5 more characters". */
export function explainPasswordLength(text: string): string {
  const { shortest, longest } = passwordLength;
  const missing = shortest - countCodePoints(text);
  if (missing === shortest) return `${shortest} characters or more; a few words work well`;
  if (missing > 0) return countOf(missing, 'more character');
  return checkNewPassword(text) === undefined
    ? 'Long enough'
    : `At most ${longest} characters, without control characters`;
}
