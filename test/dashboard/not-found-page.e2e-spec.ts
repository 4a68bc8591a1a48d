import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';

const service = useTestApp();
const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

const get = (path: string, accept: string) => call(service.url, `GET ${path}`, { headers: { accept } });

describe('The response for an unknown URL', () => {
  it.each(['/login', '/keys', '/nothing?a=<script>'])(
    'should be a page without scripts if a browser opens %s',
    async (path) => {
      const { status, headers, text } = await get(path, browserAccept);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('vary')).toBe('Accept');
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'nonce-[\w-]+'/);
      for (const link of ['/', '/sign-in']) expect(text).toContain(`href="${link}"`);
      expect(text).not.toContain('<script');
    },
  );

  it.each(['*/*', 'application/json', 'application/problem+json, */*'])(
    'should be JSON for clients that accept %s',
    async (accept) => {
      const { status, headers } = await get('/login', accept);
      expect(status).toBe(404);
      expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    },
  );

  it('should be JSON under /v1, and for methods other than GET', async () => {
    expect((await get('/v1/nothing', browserAccept)).headers.get('content-type')).toContain('application/json');
    const posted = await call(service.url, 'POST /login', { headers: { accept: browserAccept } });
    expect(posted.headers.get('content-type')).toContain('application/problem+json');
  });
});
