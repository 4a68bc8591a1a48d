import { randomBytes } from 'node:crypto';
import { type AppError, routeNotFound } from './app-error.js';

const nonceBytes = 16;

/** Whether a browser asked for a page. API clients send other values of `Accept`, or none. */
export function wantsPage(method: string, accept: string | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && accept !== undefined && /(^|,)\s*text\/html\b/i.test(accept);
}

/** The page that a browser shows for an unknown URL, with a link to the dashboard. */
export function toNotFoundPage({ message }: AppError): { headers: Record<string, string>; body: string } {
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const isMistyped = message === routeNotFound().message;
  const detail = isMistyped ? 'Check the URL. It may be mistyped, or the page may have moved.' : message;
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      vary: 'Accept',
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Page not found · Keycard</title>
    <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
    <style nonce="${nonce}">
      body { display: grid; place-content: center; min-height: 90vh; margin: 0 auto; padding: 16px; max-width: 32rem;
        font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1a1a24, #e2e2ea); background: light-dark(#f7f7fa, #131319) }
      h1 { font-size: 1.5rem; margin: 16px 0 8px }
      p { margin: 0 0 16px }
      a { color: light-dark(#5f43dc, #a08eff) }
    </style>
  </head>
  <body>
    <main>
      <img src="/favicon.svg" width="40" height="40" alt="Keycard" />
      <h1>Page not found</h1>
      <p>${escapeHtml(detail)}</p>
      <p><a href="/">Go to dashboard</a> · <a href="/sign-in">Sign in</a> · <a href="/docs">API docs</a></p>
    </main>
  </body>
</html>
`,
  };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
