import type { BrowserContext, Request, Response } from 'playwright-core';

/** Chromium does not tell of each violation by itself; scripts that catch the error hide a refused `eval`. */
const reportViolations = `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
  console.error('Content-Security-Policy: ' + effectiveDirective + ' refused ' + blockedURI));`;

/** The problem of a page whose session was ended elsewhere. */
export const endedSession = /Answer 401: POST .*\/auth\/refresh$/;

/** Collects what goes wrong in the pages of a visitor without anybody having asserted it. */
export class Problems {
  private readonly found: string[] = [];
  private readonly expected: RegExp[] = [];
  private readonly allowed: RegExp[] = [];

  private constructor(context: BrowserContext) {
    context.on('console', (message) => {
      // Each refused API call and each missing file makes one of these; `onResponse` tells them apart.
      const isRepeated = message.text().startsWith('Failed to load resource:');
      if (message.type() === 'error' && !isRepeated) this.found.push(`Console: ${message.text()}`);
    });
    context.on('weberror', (webError) => this.found.push(`Uncaught: ${String(webError.error())}`));
    context.on('request', (request) => this.onRequest(request));
    context.on('response', (response) => this.onResponse(response));
    context.on('requestfailed', (request) => this.onRequestFailed(request));
  }

  /** Watches all pages of the context from now on. */
  static async watch(context: BrowserContext): Promise<Problems> {
    await context.addInitScript(reportViolations);
    return new Problems(context);
  }

  /** Declares that such a problem has to occur. */
  expect(problem: RegExp): void {
    this.expected.push(problem);
  }

  /** Declares that such a problem may occur, where the browser decides whether it does. */
  allow(problem: RegExp): void {
    this.allowed.push(problem);
  }

  /** What occurred unexpectedly, and what was expected and did not occur. */
  list(): string[] {
    const known = [...this.expected, ...this.allowed];
    const unexpected = this.found.filter((problem) => !known.some((pattern) => pattern.test(problem)));
    const missing = this.expected.filter((pattern) => !this.found.some((problem) => pattern.test(problem)));
    return [...unexpected, ...missing.map((pattern) => `Expected, but did not occur: ${String(pattern)}`)];
  }

  private onRequest(request: Request): void {
    const { protocol, hostname } = new URL(request.url());
    const isOwn = hostname === '127.0.0.1' || hostname === 'localhost';
    if (/^(http|ws)s?:$/.test(protocol) && !isOwn) this.found.push(`Foreign request: ${describe(request)}`);
  }

  private onResponse(response: Response): void {
    const request = response.request();
    if (response.status() >= 400 && !mayBeRefused(request, response.status()))
      this.found.push(`Answer ${response.status()}: ${describe(request)}`);
  }

  private onRequestFailed(request: Request): void {
    const reason = request.failure()?.errorText ?? 'unknown reason';
    // Pages give requests up when they are left or when the answer is no longer wanted.
    if (reason !== 'net::ERR_ABORTED') this.found.push(`No answer (${reason}): ${describe(request)}`);
  }
}

/**
 * A call of the API may be refused, which the page has to handle; a file that a page names has to be there. So has the
 * session that a page asks for, unless it was ended elsewhere.
 */
function mayBeRefused(request: Request, status: number): boolean {
  const isCall = ['fetch', 'xhr'].includes(request.resourceType());
  const lacksSession = status === 401 && request.url().endsWith('/auth/refresh');
  return isCall && status < 500 && !lacksSession;
}

/** Without the query, which may hold what nobody should read in a log. */
function describe(request: Request): string {
  return `${request.method()} ${request.url().replace(/[?#].*$/s, '')}`;
}
