const shortest = 2;
const longest = 100;

/** What is wrong with a name, as the service sees it: of a key, a role, an organization. Null when nothing is. */
export function checkName(name: string): string | null {
  const trimmed = name.trim();
  // As a reader counts: in code points, not in UTF-16 units.
  const length = [...trimmed].length;
  if (length < shortest) return `Use at least ${shortest} characters.`;
  if (length > longest) return `Use at most ${longest} characters: these are ${length}.`;
  if (/\p{Cc}/u.test(trimmed) || /\p{Cs}/u.test(trimmed)) return 'Leave out control characters.';
  return null;
}
