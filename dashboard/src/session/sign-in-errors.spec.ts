import { explainSignInError } from './sign-in-errors.js';

describe('explainSignInError', () => {
  it('should explain known codes', () => {
    expect(explainSignInError('access-denied')).toBe('Your identity provider denied the sign-in.');
  });

  it.each(['teapot', 'constructor'])('should include the unknown code %s', (code) => {
    expect(explainSignInError(code)).toBe(`Sign-in failed (${code}). Try again.`);
  });

  it('should return undefined without an error', () => {
    expect(explainSignInError(undefined)).toBeUndefined();
  });
});
