/** What a page contains besides files. */
interface InlineParts {
  /** Of its `<style>` elements. */
  readonly nonce?: string;
  /** Of its scripts, as sources of the policy. */
  readonly scriptHashes?: readonly string[];
}

/**
 * Allows only files from this service, and the scripts that the build has written into the page; the component library's
 * `<style>` elements carry the nonce. Images can also be files dropped on the page (`blob:`), icons in style sheets and images in OCR responses
 * (`data:`).
 */
function contentSecurityPolicy({ nonce, scriptHashes = [] }: InlineParts): string {
  return [
    `default-src 'none'`,
    ['script-src', `'self'`, ...scriptHashes].join(' '),
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    `img-src 'self' blob: data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** Headers of a page. */
export function pageHeaders(parts: InlineParts = {}): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(parts),
    // A cached page would request assets that the next version no longer has.
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
