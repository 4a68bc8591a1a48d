import { countOf } from './format-numbers.js';

// What the service accepts, so that people are told while they type. The service decides all the same. Each check says
// what is wrong, or `undefined` when nothing is.

const shortestName = 2;
const longestName = 100;
const shortestPassword = 12;
const longestPassword = 256;

/** A name of a key, a role, an organization or a person. */
export function checkName(name: string): string | undefined {
  const problem = checkUnfinishedName(name);
  if (problem !== undefined) return problem;
  return countCharacters(name.trim()) < shortestName ? `Use at least ${shortestName} characters.` : undefined;
}

/** The same while a name is being typed, when it may still be too short. */
export function checkUnfinishedName(name: string): string | undefined {
  const trimmed = name.trim();
  if (!isPrintable(trimmed)) return 'Leave out control characters, such as tabs.';
  return countCharacters(trimmed) > longestName ? `Use at most ${longestName} characters.` : undefined;
}

/** An address that mail could be sent to, as far as its form can tell; spaces around it are removed. */
export function checkEmailAddress(text: string): string | undefined {
  const isAddress = /^(?=.{3,254}$)[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(text.trim());
  return isAddress ? undefined : 'Enter an e-mail address, such as ada@example.com.';
}

/** A password that somebody chooses. */
export function checkNewPassword(text: string): string | undefined {
  const length = countCharacters(text);
  const isAccepted = length >= shortestPassword && length <= longestPassword && isPrintable(text);
  return isAccepted
    ? undefined
    : `Choose a password of ${shortestPassword} to ${longestPassword} characters, all of them printable.`;
}

/** How far a password is from being long enough, such as "5 more characters". */
export function explainPasswordLength(text: string): string {
  const missing = shortestPassword - countCharacters(text);
  if (missing === shortestPassword) return `${shortestPassword} characters or more; a few words work well`;
  if (missing > 0) return countOf(missing, 'more character');
  return checkNewPassword(text) === undefined
    ? 'Long enough'
    : `At most ${longestPassword} characters, all of them printable`;
}

/** As a reader counts: in code points, not in UTF-16 units. */
function countCharacters(text: string): number {
  return [...text].length;
}

/** Without control characters, and without halves of surrogate pairs. */
function isPrintable(text: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(text);
}
