import { normalizeTag } from '@rules/tag-rules.js';

/** The tags that contain the text: the same one first, then those that start with it, then those of the most keys. */
export function matchingTags(tags: readonly string[], text: string): string[] {
  const part = normalizeTag(text);
  const rank = (tag: string) => (tag === part ? 0 : tag.startsWith(part) ? 1 : 2);
  return part === '' ? [] : tags.filter((tag) => tag.includes(part)).sort((one, other) => rank(one) - rank(other));
}
