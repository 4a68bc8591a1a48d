/** Why single sign-on has not accepted the invitation: the service leads back with the code of the error. */
const explanations: Record<string, string> = {
  'access-denied': 'The sign-in was refused at the identity provider.',
  conflict: 'You are a member already.',
  'identity-refused': 'Your identity cannot be used here. Ask whoever invited you.',
  'identity-provider-unavailable': 'The identity provider cannot be reached. Try again in a moment.',
  'invitation-expired': 'The invitation has expired. Ask whoever invited you for a new one.',
  'invitation-mismatch':
    'The invitation is for another e-mail address than the one you have signed in with. Use the invited one, or ask for a new invitation.',
  'not-found': 'The invitation is no longer open: it was accepted, withdrawn or replaced by a newer one.',
  'sign-in-failed': 'The sign-in could not be completed. Try again.',
  'too-many-requests': 'Too many attempts. Wait a few minutes and try again.',
};

/** What to tell the person for the code in the address. */
export function explainAcceptError(code: string): string {
  return explanations[code] ?? `The sign-in has failed (${code}). Try again.`;
}
