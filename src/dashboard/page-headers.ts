/**
 * What the page may load: files of this service and nothing else. Scripts are files, never inline; the component
 * library writes `<style>` elements, which carry the nonce. Pictures may also be those that a person has dropped on
 * the page (`blob:`), and the icons in style sheets and the pictures in OCR answers (`data:`).
 */
function contentSecurityPolicy(nonce: string): string {
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self' 'nonce-${nonce}'`,
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

/** The headers of a page that is sent with this nonce. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(nonce),
    // Not even for the back button: a kept page would ask for assets that the next version no longer has.
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  };
}
