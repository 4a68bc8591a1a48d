/** Why a sign-in at the identity provider has failed: the service leads back here with the code of the error. */
const explanations: Record<string, string> = {
  'access-denied': 'The sign-in was refused at the identity provider.',
  'identity-refused': 'Your identity cannot be used here. Ask an administrator for an invitation.',
  'identity-provider-unavailable': 'The identity provider cannot be reached. Try again in a moment.',
  'no-organization': 'Your account belongs to no organization. Ask an administrator for an invitation.',
  'sign-in-failed': 'The sign-in could not be completed. Try again.',
  'too-many-requests': 'Too many attempts. Wait a few minutes and try again.',
};

/** What to tell the person for the code in the address; nothing without one. */
export function explainSignInError(code: string | undefined): string | undefined {
  if (code === undefined) return undefined;
  if (Object.hasOwn(explanations, code)) return explanations[code];
  return `The sign-in has failed (${code}). Try again.`;
}
