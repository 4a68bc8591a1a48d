const words =
  `the a our this every new old small large invoice customer order report meeting team product engine river window
  garden doctor teacher market price letter answer question problem winter morning evening bridge station ticket
  writes reads opens closes finds loses sends receives explains measures repairs paints carries follows before after
  during without behind near quickly slowly often never today tomorrow because although while and but with under`.split(
    /\s+/,
  );

/**
 * Generates different sentences of 20 words, identical in every run.
 *
 * @param seed generates other sentences
 */
export function makeSentences(count: number, seed = 1): string[] {
  let state = seed;
  // A linear congruential generator (Numerical Recipes), for repeatable results.
  const nextWord = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return words[Math.floor((state / 2 ** 32) * words.length)];
  };
  return Array.from({ length: count }, () => Array.from({ length: 20 }, nextWord).join(' '));
}
