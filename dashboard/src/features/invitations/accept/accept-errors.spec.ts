import { explainAcceptError } from './accept-errors.js';

describe('explainAcceptError', () => {
  it('should have words of its own for what only invitations fail by', () => {
    expect(explainAcceptError('conflict')).toBe('You are a member already.');
  });

  it('should say the same as the sign-in of what both fail by', () => {
    expect(explainAcceptError('access-denied')).toBe('The sign-in was refused at the identity provider.');
  });

  it.each(['teapot', 'constructor'])('should name %s, which it does not know', (code) => {
    expect(explainAcceptError(code)).toBe(`The sign-in has failed (${code}). Try again.`);
  });

  it('should say nothing when nothing has failed', () => {
    expect(explainAcceptError(undefined)).toBeUndefined();
  });
});
