/** Returns the fraction of the words in `expected`, including repetitions, that `actual` contains. */
export function wordRecall(expected: string, actual: string): number {
  const remaining = new Map<string, number>();
  for (const word of wordsOf(actual)) remaining.set(word, (remaining.get(word) ?? 0) + 1);
  const words = wordsOf(expected);
  const found = words.filter((word) => {
    const count = remaining.get(word) ?? 0;
    remaining.set(word, count - 1);
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
