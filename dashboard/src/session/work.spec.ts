import { workOf } from './work.js';

describe('workOf', () => {
  it('should tell the user and the organization of a token', () => {
    const payload = Buffer.from(JSON.stringify({ sub: 'ada', org: 'acme', note: '>>>???' })).toString('base64url');
    expect(workOf(`header.${payload}.signature`)).toEqual({ userId: 'ada', organizationId: 'acme' });
  });
});
