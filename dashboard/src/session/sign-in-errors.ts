/** Explanations of the error codes that failed single sign-on adds to the URL. */
const explanations: Record<string, string> = {
  'access-denied': 'Your identity provider denied the sign-in.',
  'identity-refused': "Your identity can't be used here. Ask an administrator for an invitation.",
  'identity-provider-unavailable': 'Your identity provider is unavailable. Try again in a moment.',
  'no-organization': "You don't belong to an organization. Ask an administrator for an invitation.",
  'sign-in-failed': 'Sign-in failed. Try again.',
  'too-many-requests': 'Too many attempts. Try again in a few minutes.',
};

/** Explains the error code in the URL, if any. */
export function explainSignInError(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (Object.hasOwn(explanations, code)) return explanations[code];
  return `Sign-in failed (${code}). Try again.`;
}
