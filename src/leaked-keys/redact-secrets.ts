/** API keys and client secrets, whole. */
const secrets = /\b(kcs?_[0-9A-Za-z]{5})[0-9A-Za-z]{41}/g;

/** Replaces Keycard's secrets in a text by their first characters. */
export function redactSecrets(text: string): string {
  return text.replaceAll(secrets, '$1***');
}

/**
 * Normalizes a URL to ASCII, and removes secrets from it: passwords, API keys and client secrets. If one is percent-encoded,
 * only the origin is left.
 *
 * @param url a valid URL
 */
export function redactUrl(url: string): string {
  const parsed = new URL(url);
  parsed.username = parsed.password = '';
  const redacted = redactSecrets(parsed.href);
  return redactSecrets(decode(redacted)) === decode(redacted) ? redacted : parsed.origin;
}

function decode(text: string): string {
  return text.replaceAll(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(parseInt(code.slice(1), 16)));
}
