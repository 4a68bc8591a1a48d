import { explainSignInError } from './sign-in-errors.js';

describe('explainSignInError', () => {
  it('should have words for what the service leads back with', () => {
    expect(explainSignInError('access-denied')).toBe('The sign-in was refused at the identity provider.');
  });

  it.each(['teapot', 'constructor'])('should name %s, which it does not know', (code) => {
    expect(explainSignInError(code)).toBe(`The sign-in has failed (${code}). Try again.`);
  });

  it('should say nothing when nothing has failed', () => {
    expect(explainSignInError(undefined)).toBeUndefined();
  });
});
