import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { dashboardFolder, startAppWithDashboard } from '../setup/built-dashboard.js';
import { call } from '../setup/call.js';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';
import { useAppStarter, useStarted } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';

const service = useStarted(startAppWithDashboard);
const startApp = useAppStarter();
/** The page's entry script. */
let script: string;
beforeAll(async () => {
  const page = await call(service.url, 'GET /');
  script = / src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? '';
});

/** Requests a path verbatim, which fetch would normalize, and returns the body undecoded. */
async function get(rawPath: string, headers: Record<string, string> = {}) {
  const sent = request(service.url, { path: rawPath, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

describe('A dashboard asset', () => {
  it.each([
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    ['identity', undefined, (body: Buffer) => body],
    ['', undefined, (body: Buffer) => body],
  ])('should be sent for Accept-Encoding "%s" with encoding %s', async (accepted, encoding, decode) => {
    const { status, headers, body } = await get(script, { 'accept-encoding': accepted });
    expect(status).toBe(200);
    expect(headers['content-encoding']).toBe(encoding);
    expect(headers.vary).toBe('accept-encoding');
    expect(headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(Number(headers['content-length'])).toBe(body.length);
    expect(decode(body).equals(readFileSync(path.join(dashboardFolder, script)))).toBe(true);
  });

  it('should be cached for a year in every encoding', async () => {
    for (const encoding of ['br', 'identity']) {
      const { headers } = await get(script, { 'accept-encoding': encoding });
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  it('should respond to HEAD with the headers of GET', async () => {
    const [head, whole] = [await call(service.url, `HEAD ${script}`), await call(service.url, `GET ${script}`)];
    expect(head.status).toBe(200);
    expect(head.text).toBe('');
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
  });

  it('should return the usual 404 once a newer build has replaced it', async () => {
    const folder = await makeTemporaryFolder();
    await cp(dashboardFolder, folder.path, { recursive: true });
    const running = await startApp({ config: { dashboardFolder: folder.path } });
    await rm(path.join(folder.path, 'assets'), { recursive: true });
    const responses = [await call(running.url, `GET ${script}`), await call(running.url, 'GET /')];
    await folder.remove();
    expect(responses.map(({ status }) => status)).toEqual([404, 200]);
    expect(responses[0]?.body).toMatchObject({ code: 'route-not-found' });
    expect(responses[0]?.headers.get('cache-control')).toBeNull();
  });

  it('should be logged below the default level', async () => {
    await get(script);
    const logged = () => service.logLines.filter((line) => line.includes(script));
    await waitFor(() => logged().length > 0);
    const levels = logged().map((line) => (JSON.parse(line) as { level: number }).level);
    expect(Math.max(...levels)).toBe(20);
  });

  it.each(['/assets/index-00000000.js', '/assets/', '/assets', '/assets/nope.css'])(
    "should return the usual 404 if it doesn't exist: %s",
    async (missing) => {
      const { status, headers, body } = await get(missing, { accept: '*/*' });
      expect(status).toBe(404);
      expect(headers['content-type']).toContain('application/problem+json');
      expect(JSON.parse(body.toString())).toMatchObject({ code: 'route-not-found' });
    },
  );

  it.each([
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/%2e%2e/package.json',
    '/assets/../../../package.json',
    '/assets/..\\..\\..\\package.json',
    '//package.json',
    '/index.html',
    '/.vite/manifest.json',
    '/.keycard-built',
  ])('should be the only kind of file served (%s)', async (outside) => {
    expect((await get(outside)).status).toBe(404);
  });
});

describe('A file next to the assets', () => {
  it.each([
    ['/favicon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ])('should be cached briefly, as its name never changes: %s', async (file, type) => {
    const { status, headers } = await get(file);
    expect(status).toBe(200);
    expect(headers['content-type']).toContain(type);
    expect(headers['cache-control']).toBe('public, max-age=3600');
  });
});
