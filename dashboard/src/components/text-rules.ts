// What the service accepts, so that people are told while they type. The service decides all the same.

/** A printable text of so many characters, as a reader counts them. */
export function hasCharacters(text: string, shortest: number, longest: number): boolean {
  const { length } = [...text];
  return length >= shortest && length <= longest && !/[\p{Cc}\p{Cs}]/u.test(text);
}

/** An address that mail could be sent to, as far as its form can tell; spaces around it are removed. */
export function isEmailAddress(text: string): boolean {
  return /^(?=.{3,254}$)[^\s@\p{Cc}\p{Cs}]+@[^\s@\p{Cc}\p{Cs}]+$/u.test(text.trim());
}

const shortestPassword = 12;
const longestPassword = 256;

/** Whether somebody may choose this password. */
export function isNewPassword(text: string): boolean {
  return hasCharacters(text, shortestPassword, longestPassword);
}

/** How far a password is from being long enough, such as "5 more characters". */
export function explainPasswordLength(text: string): string {
  const missing = shortestPassword - [...text].length;
  if (missing === shortestPassword) return `${shortestPassword} characters or more; a few words work well`;
  if (missing > 0) return missing === 1 ? '1 more character' : `${missing} more characters`;
  return isNewPassword(text) ? 'Long enough' : `At most ${longestPassword} characters, all of them printable`;
}
