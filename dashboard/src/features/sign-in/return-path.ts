/** Rejects paths that browsers resolve to another host: `//host`, `/\host`, and these with tabs or newlines inside. */
export function isLocalPath(path: string): boolean {
  return /^\/(?![/\\])[^\p{Cc}]*$/u.test(path);
}

/** Percent-encodes characters that the API doesn't accept in paths. Existing escapes are left unchanged. */
export function encodePath(path: string): string {
  const { pathname, search, hash } = new URL(path, 'https://keycard.invalid');
  return (pathname + search + hash).replaceAll('\\', '%5C');
}
