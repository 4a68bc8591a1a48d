import { readFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf } from '../contract/operation-gaps.js';
import { startAppWithDashboard } from '../setup/built-dashboard.js';
import { call } from '../setup/call.js';
import { useStarted } from '../setup/use-test-app.js';

const service = useStarted(startAppWithDashboard);

describe('GET /docs', () => {
  it('should list every operation without scripts', async () => {
    const { status, headers, text } = await call(service.url, 'GET /docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenAPIObject;
    const missing = operationsOf(document).filter(({ route, description }) => {
      const [method, path] = route.split(' ');
      return !text.includes(`${method}</code> <code>${path}</code> ${description.summary?.replaceAll('"', '&quot;')}`);
    });
    expect(missing).toEqual([]);
    expect(text).not.toMatch(/API_[A-Z]+|CSP_NONCE/);
  });

  it('should load only immutable files of this service, and link to the dashboard', async () => {
    const { text } = await call(service.url, 'GET /docs');
    expect(text).toContain('href="/dashboard"');
    const sources = [...text.matchAll(/(?:src|href)="([^"#]+)"/g)].map(
      ([, source]) => new URL(String(source), service.url),
    );
    expect(sources.map(({ origin }) => origin)).toEqual(sources.map(() => service.url));
    const assets = sources.filter(({ pathname }) => pathname.startsWith('/assets/'));
    expect(assets.length).toBeGreaterThan(1);
    for (const { pathname } of assets) {
      const { headers } = await call(service.url, `GET ${pathname}`);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('should forbid framing and files of other hosts', async () => {
    const { headers } = await call(service.url, 'GET /docs');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
  });
});

describe.each(['/docs', '/openapi.json'])('GET %s', (path) => {
  /** Unlike `fetch`, leaves the body compressed. */
  async function get(headers: Record<string, string>) {
    const [response] = (await once(httpGet(service.url + path, { headers }), 'response')) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
  }

  it('should be compressed as the client accepts', async () => {
    const plain = await get({});
    const gzip = await get({ 'accept-encoding': 'gzip, deflate' });
    const brotli = await get({ 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect([plain, gzip, brotli].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', 'br']);
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(brotli.body.length).toBeLessThan(plain.body.length / 4);
  });

  it('should not be sent again to a client that has it', async () => {
    const { headers } = await get({});
    const again = await get({ 'if-none-match': String(headers.etag) });
    expect(again.status).toBe(304);
    expect(again.body).toHaveLength(0);
    expect((await get({ 'if-none-match': '"another"' })).status).toBe(200);
  });
});
