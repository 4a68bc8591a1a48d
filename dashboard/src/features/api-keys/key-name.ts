const shortest = 2;
const longest = 100;

/** Why the service would refuse a name; `undefined` for a good one. */
export function checkKeyName(name: string): string | undefined {
  const problem = checkUnfinishedKeyName(name);
  if (problem !== undefined) return problem;
  return countCharacters(name) < shortest ? `Use at least ${shortest} characters.` : undefined;
}

/** The same while a name is being typed, when it may still be too short. */
export function checkUnfinishedKeyName(name: string): string | undefined {
  // Control characters, and halves of surrogate pairs.
  if (/[\p{Cc}\p{Cs}]/u.test(name.trim())) return 'Leave out control characters, such as tabs.';
  return countCharacters(name) > longest ? `Use at most ${longest} characters.` : undefined;
}

/** As the service counts: in code points, without the spaces around. */
function countCharacters(name: string): number {
  return [...name.trim()].length;
}
