import { explainSignInError } from '../sign-in/sign-in-errors.js';

/** Why single sign-on has not accepted the invitation, where that differs from a sign-in without one. */
const explanations: Record<string, string> = {
  conflict: 'You are a member already.',
  'identity-refused': 'Your identity cannot be used here. Ask whoever invited you.',
  'invitation-expired': 'The invitation has expired. Ask whoever invited you for a new one.',
  'invitation-mismatch':
    'The invitation is for another e-mail address than the one you have signed in with. Use the invited one, or ask for a new invitation.',
  'not-found': 'The invitation is no longer open: it was accepted, withdrawn or replaced by a newer one.',
};

/** What to tell the person for the code in the address; nothing without one. */
export function explainAcceptError(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(explanations, code) ? explanations[code] : explainSignInError(code);
}
