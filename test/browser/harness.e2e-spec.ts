import { existsSync } from 'node:fs';
import { findAccessibilityViolations } from './setup/axe.js';
import { openDashboard } from './setup/dashboard.js';

const policy = "default-src 'none'; script-src 'self' 'nonce-test'; style-src 'self'; img-src *; connect-src *";

/** Pages with a problem that tests must detect, by path. */
const brokenPages: Record<string, string> = {
  '/logs-an-error': script(`console.error('a logged error')`),
  '/throws': script(`throw new Error('a thrown error')`),
  '/has-inline-script': '<script>1</script>',
  '/evaluates': script(`try { new Function('1')(); } catch {}`),
  '/lacks-an-image': '<img src="/missing.png" alt="">',
  '/contacts-another-host': '<img src="http://keycard.invalid/pixel.png" alt="">',
  '/gets-a-401': script(`fetch('/api-keys')`),
  '/has-an-unlimited-field': '<input type="text" aria-label="Name" autofocus>',
  '/has-accessibility-violations': '<input>',
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

/** Runs a test that only opens this page. */
function open(path: string, expected: RegExp[] = []): Promise<void> {
  return dashboard.test(async ({ page, problems }) => {
    for (const pattern of expected) problems.expect(pattern);
    await page.goto(path, { waitUntil: 'networkidle' });
  })();
}

describe('A browser test', () => {
  it.each([
    ['/logs-an-error', [/Console: a logged error/]],
    ['/throws', [/Uncaught: Error: a thrown error/]],
    ['/has-inline-script', [/Content-Security-Policy: script-src-elem blocked inline/, /Executing inline script/]],
    ['/evaluates', [/Content-Security-Policy: script-src blocked eval/]],
    ['/lacks-an-image', [/Response 404: GET http:\/\/127\.0\.0\.1:\d+\/missing\.png/]],
    ['/has-an-unlimited-field', [/Console: Field without maxLength: Name/]],
    ['/contacts-another-host', [/Foreign request: GET http:\/\/keycard\.invalid\/pixel\.png/, /No response/]],
  ])('should fail if the page %s, unless that is expected', async (path, problems) => {
    const failure: unknown = await open(path).catch((error: unknown) => error);
    for (const problem of problems) expect(String(failure)).toMatch(problem);
    await open(path, problems);
  });

  it('should fail if an expected problem does not occur', async () => {
    await expect(open('/sign-in', [/thunder/])).rejects.toThrow('Expected but missing: /thunder/');
  });

  it('should let the page handle a 4xx response', async () => {
    await expect(open('/gets-a-401')).resolves.toBeUndefined();
  });

  it('should save a screenshot if it fails', async () => {
    const failure = dashboard.test(async ({ page }) => {
      await page.goto('/sign-in');
      throw new Error('an unmet expectation');
    })();
    const message = await failure.then(String, String);
    expect(message).toContain('an unmet expectation');
    const [, file = ''] = /Screenshot: (.+)/.exec(message) ?? [];
    expect(existsSync(file)).toBe(true);
  });

  it(
    'should report accessibility violations',
    dashboard.test(async ({ page }) => {
      await page.goto('/has-accessibility-violations');
      expect(await findAccessibilityViolations(page)).toEqual(['label: Form elements must have labels: input']);
    }),
  );
});
