import { explainSignInError } from '../../../session/sign-in-errors.js';

/** Error codes of single sign-on that mean something else for an invitation than for an ordinary sign-in. */
const explanations: Record<string, string> = {
  conflict: "You're already a member of this organization.",
  'identity-refused': "Your identity can't be used here. Ask the person who invited you for help.",
  'invitation-expired': 'This invitation has expired. Ask for a new one.',
  'invitation-mismatch':
    'This invitation is for another email. Sign in with the invited email, or ask for a new invitation.',
  'not-found': 'This invitation was already accepted, withdrawn or replaced by a newer one.',
};

/** Explains the error code in the URL, if any. */
export function explainAcceptError(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(explanations, code) ? explanations[code] : explainSignInError(code);
}
