// What the service accepts, so that people are told while they type. The service decides all the same.

/** An address that mail could be sent to, as far as its form can tell; spaces around it are removed. */
export function isEmailAddress(text: string): boolean {
  return /^(?=.{3,254}$)[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(text.trim());
}

const shortestPassword = 12;
const longestPassword = 256;

/** Whether somebody may choose this password. */
export function isNewPassword(text: string): boolean {
  // As a reader counts: in code points, not in UTF-16 units.
  const { length } = [...text];
  return length >= shortestPassword && length <= longestPassword && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** How far a password is from being long enough, such as "5 more characters". */
export function explainPasswordLength(text: string): string {
  const missing = shortestPassword - [...text].length;
  if (missing === shortestPassword) return `${shortestPassword} characters or more; a few words work well`;
  if (missing > 0) return missing === 1 ? '1 more character' : `${missing} more characters`;
  return isNewPassword(text) ? 'Long enough' : `At most ${longestPassword} characters, all of them printable`;
}
