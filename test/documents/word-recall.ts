/** The part of the words of `expected` that `actual` holds too, each counted as often as it occurs: 0 to 1. */
export function wordRecall(expected: string, actual: string): number {
  const left = new Map<string, number>();
  for (const word of wordsOf(actual)) left.set(word, (left.get(word) ?? 0) + 1);
  const words = wordsOf(expected);
  const found = words.filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  });
  return found.length / words.length;
}

function wordsOf(text: string): string[] {
  return text
    .replace(/[“”„]/g, '"')
    .replace(/[‘’]/g, "'")
    .split(/[\s|]+/)
    .filter((word) => word !== '');
}
