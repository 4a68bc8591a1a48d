import { explainSignInError } from '../../sign-in/sign-in-errors.js';

/** Why single sign-on has not accepted the invitation, where that differs from a sign-in without one. */
const explanations: Record<string, string> = {
  conflict: 'You are a member already.',
  'identity-refused': 'Your identity can’t be used here. Ask for help from the person who invited you.',
  'invitation-expired': 'This invitation has expired. Ask for a new one.',
  'invitation-mismatch':
    'This invitation is for another email. Sign in with the invited email, or ask for a new invitation.',
  'not-found': 'The invitation is no longer open: it was accepted, withdrawn or replaced by a newer one.',
};

/** What to tell the person for the code in the address; nothing without one. */
export function explainAcceptError(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(explanations, code) ? explanations[code] : explainSignInError(code);
}
