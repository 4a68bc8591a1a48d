/** Nothing that a browser would take for another host, as `//host` and `/\host` are; it drops tabs and line ends. */
export function isOwnPath(path: string): boolean {
  return /^\/(?![/\\])[^\p{Cc}]*$/u.test(path);
}

/** The path as it is sent: percent-encoded where it is not yet, which is all that the service takes. */
export function encodePath(path: string): string {
  const { pathname, search, hash } = new URL(path, 'https://keycard.invalid');
  return (pathname + search + hash).replaceAll('\\', '%5C');
}
