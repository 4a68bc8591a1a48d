import { explainAcceptError } from './accept-errors.js';

describe('explainAcceptError', () => {
  it('should explain errors that only occur for invitations', () => {
    expect(explainAcceptError('conflict')).toBe("You're already a member of this organization.");
  });

  it('should explain other errors like the sign-in page', () => {
    expect(explainAcceptError('access-denied')).toBe('Your identity provider denied the sign-in.');
  });

  it.each(['teapot', 'constructor'])('should include the unknown code %s', (code) => {
    expect(explainAcceptError(code)).toBe(`Sign-in failed (${code}). Try again.`);
  });

  it('should return undefined without an error', () => {
    expect(explainAcceptError(undefined)).toBeUndefined();
  });
});
