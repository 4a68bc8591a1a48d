import type { BrowserContext, Request, Response } from 'playwright-core';

/** Chromium doesn't log every violation, and scripts that catch the error hide a blocked `eval`. */
const reportViolations = `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  console.error('Content-Security-Policy: ' + effectiveDirective + ' blocked ' + blockedURI));`;

/** Reports each field of the dashboard that gets the focus and accepts text of any length. */
const reportUnlimitedFields = `document.addEventListener('focusin', ({ target }) => {
  const textFields = 'textarea, input:is([type=text], [type=search], [type=email], [type=password])';
  const isUnlimited = target.matches(textFields) && !target.readOnly && target.maxLength === -1;
  if (isUnlimited && location.pathname !== '/docs')
    console.error('Field without maxLength: ' + (target.getAttribute('aria-label') ?? target.labels[0]?.textContent));
});`;

/** Reported for a page whose session was revoked. */
export const endedSession = /Response 401: POST .*\/auth\/refresh$/;

/** Collects errors in a visitor's pages that no test asserts. */
export class Problems {
  private readonly found: string[] = [];
  private readonly expected: RegExp[] = [];
  private readonly allowed: RegExp[] = [];

  private constructor(context: BrowserContext) {
    context.on('console', (message) => {
      // Logged for each failed request; `onResponse` decides which of them are problems.
      const isFailedRequest = message.text().startsWith('Failed to load resource:');
      if (message.type() === 'error' && !isFailedRequest) this.found.push(`Console: ${message.text()}`);
    });
    context.on('weberror', (webError) => this.found.push(`Uncaught: ${String(webError.error())}`));
    context.on('request', (request) => this.onRequest(request));
    context.on('response', (response) => this.onResponse(response));
    context.on('requestfailed', (request) => this.onRequestFailed(request));
  }

  /** Starts watching all pages of the context. */
  static async watch(context: BrowserContext): Promise<Problems> {
    await context.addInitScript(`${reportViolations}${reportUnlimitedFields}`);
    return new Problems(context);
  }

  /** Requires a matching problem to occur. */
  expect(problem: RegExp): void {
    this.expected.push(problem);
  }

  /** Ignores matching problems, for those that depend on the browser. */
  allow(problem: RegExp): void {
    this.allowed.push(problem);
  }

  /** Returns unexpected problems and expected ones that didn't occur. */
  list(): string[] {
    const known = [...this.expected, ...this.allowed];
    const unexpected = this.found.filter((problem) => !known.some((pattern) => pattern.test(problem)));
    const missing = this.expected.filter((pattern) => !this.found.some((problem) => pattern.test(problem)));
    return [...unexpected, ...missing.map((pattern) => `Expected but missing: ${String(pattern)}`)];
  }

  private onRequest(request: Request): void {
    const { protocol, hostname } = new URL(request.url());
    const isOwn = hostname === '127.0.0.1' || hostname === 'localhost';
    if (/^(http|ws)s?:$/.test(protocol) && !isOwn) this.found.push(`Foreign request: ${describe(request)}`);
  }

  private onResponse(response: Response): void {
    const request = response.request();
    if (response.status() >= 400 && !isHandledByPage(request, response.status()))
      this.found.push(`Response ${response.status()}: ${describe(request)}`);
  }

  private onRequestFailed(request: Request): void {
    const reason = request.failure()?.errorText ?? 'unknown reason';
    // Pages abort requests when the user leaves or the response is no longer needed.
    if (reason !== 'net::ERR_ABORTED') this.found.push(`No response (${reason}): ${describe(request)}`);
  }
}

/** Pages handle 4xx responses of the API. A missing file is a problem, and so is a revoked session. */
function isHandledByPage(request: Request, status: number): boolean {
  const isApiCall = ['fetch', 'xhr'].includes(request.resourceType());
  const isSessionRevoked = status === 401 && request.url().endsWith('/auth/refresh');
  return isApiCall && status < 500 && !isSessionRevoked;
}

/** Omits the query, which may contain secrets. */
function describe(request: Request): string {
  return `${request.method()} ${request.url().replace(/[?#].*$/s, '')}`;
}
