/**
 * The form of a name in which case and composition do not matter (Unicode NFKC, then lower case). Computed here
 * rather than by SQL's lower(), whose result depends on the database's locale.
 */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase();
}
