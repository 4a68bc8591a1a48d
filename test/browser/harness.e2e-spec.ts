import { existsSync } from 'node:fs';
import { findBarriers } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const policy = "default-src 'none'; script-src 'self' 'nonce-test'; style-src 'self'; img-src *; connect-src *";

/** Pages that do what no page of the dashboard may do, by their path. */
const brokenPages: Record<string, string> = {
  '/logs-an-error': script(`console.error('the heating is off')`),
  '/throws': script(`throw new Error('no such drawer')`),
  '/has-inline-script': '<script>1</script>',
  '/evaluates': script(`try { new Function('1')(); } catch {}`),
  '/lacks-an-image': '<img src="/missing.png" alt="">',
  '/asks-another-host': '<img src="http://keycard.invalid/pixel.png" alt="">',
  '/is-refused': script(`fetch('/api-keys')`),
  '/has-barriers': '<input>',
};

function script(code: string): string {
  return `<script nonce="test">${code}</script>`;
}

const dashboard = openDashboard({
  addRoutes: (fastify) => {
    for (const [path, content] of Object.entries(brokenPages)) {
      const html = `<!doctype html><html lang="en"><title>Broken</title><main><h1>Broken</h1>${content}</main></html>`;
      fastify.get(path, (_request, reply) =>
        reply.header('content-security-policy', policy).type('text/html').send(html),
      );
    }
  },
});

/** What a test reports that only opens this page. */
function open(path: string, expected: RegExp[] = []): Promise<void> {
  return dashboard.test(async ({ page, problems }) => {
    for (const pattern of expected) problems.expect(pattern);
    await page.goto(path, { waitUntil: 'networkidle' });
  })();
}

describe('A test in the browser', () => {
  it.each([
    ['/logs-an-error', [/Console: the heating is off/]],
    ['/throws', [/Uncaught: Error: no such drawer/]],
    ['/has-inline-script', [/Content-Security-Policy: script-src-elem refused inline/, /Executing inline script/]],
    ['/evaluates', [/Content-Security-Policy: script-src refused eval/]],
    ['/lacks-an-image', [/Answer 404: GET http:\/\/127\.0\.0\.1:\d+\/missing\.png/]],
    ['/asks-another-host', [/Foreign request: GET http:\/\/keycard\.invalid\/pixel\.png/, /No answer/]],
  ])('should fail when the page %s, unless that is expected', async (path, problems) => {
    const failure: unknown = await open(path).catch((error: unknown) => error);
    for (const problem of problems) expect(String(failure)).toMatch(problem);
    await open(path, problems);
  });

  it('should fail when an expected problem does not occur', async () => {
    await expect(open('/sign-in', [/thunder/])).rejects.toThrow('Expected, but did not occur: /thunder/');
  });

  it('should let the page handle a refused call', async () => {
    await open('/is-refused');
  });

  it('should leave a picture of the page when it fails', async () => {
    const failure = dashboard.test(async ({ page }) => {
      await page.goto('/sign-in');
      throw new Error('something was not as it should be');
    })();
    const message = await failure.then(String, String);
    expect(message).toContain('something was not as it should be');
    const [, file = ''] = /Screenshot: (.+)/.exec(message) ?? [];
    expect(existsSync(file)).toBe(true);
  });

  it(
    'should name what hinders people on a page',
    dashboard.test(async ({ page }) => {
      await page.goto('/has-barriers');
      expect(await findBarriers(page)).toEqual(['label: Form elements must have labels: input']);
    }),
  );
});
