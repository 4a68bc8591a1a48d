import { readTag } from '../../common/api-keys/search.js';

const separator = ':';

/** Returns what tags of the form "team:search" start with, such as "team:", in order. */
export function prefixesOf(tags: readonly string[]): string[] {
  const prefixes = tags.flatMap((tag) => /^[^:]+:(?=.)/u.exec(tag)?.[0] ?? []);
  return [...new Set(prefixes)].sort();
}

/** Reads a prefix, if it's a valid one. */
export function readTagPrefix(value: unknown): string | undefined {
  const prefix = readTag(value);
  return prefix?.endsWith(separator) === true ? prefix : undefined;
}

/** Names what is deducted for keys that count for several tags. */
export function labelOfDeduction(prefix: string | undefined): string {
  return `Deduction for keys with several ${prefix === undefined ? '' : `${prefix.slice(0, -separator.length)} `}tags`;
}

/** Names the keys without a tag, such as "No team tag" for the prefix "team:". */
export function labelWithoutTag(prefix: string | undefined): string {
  return prefix === undefined ? 'No tag' : `No ${prefix.slice(0, -separator.length)} tag`;
}
