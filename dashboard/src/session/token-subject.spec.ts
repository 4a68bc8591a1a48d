import { readTokenSubject } from './token-subject.js';

describe('readTokenSubject', () => {
  it('should return the user and organization of a token', () => {
    const payload = Buffer.from(JSON.stringify({ sub: 'ada', org: 'acme', note: '>>>???' })).toString('base64url');
    expect(readTokenSubject(`header.${payload}.signature`)).toEqual({ userId: 'ada', organizationId: 'acme' });
  });
});
