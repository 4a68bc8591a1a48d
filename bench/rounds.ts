/** Alternatives to measure, by name. Each returns one figure, such as requests/s. */
export type Contenders<Name extends string> = Record<Name, () => Promise<number>>;

/** Figures of each contender, one for each round. */
export type Figures<Name extends string> = Record<Name, number[]>;

/**
 * Measures all contenders once per round. If other work slows the machine down for a while, it affects all of them, and
 * ratios stay meaningful.
 */
export async function measureInRounds<Name extends string>(
  rounds: number,
  contenders: Contenders<Name>,
): Promise<Figures<Name>> {
  const names = Object.keys(contenders) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Figures<Name>;
  for (let round = 0; round < rounds; round += 1) {
    // Every second round runs in reverse order, so that no contender is always first.
    for (const name of round % 2 === 0 ? names : names.toReversed()) figures[name].push(await contenders[name]());
    console.log(
      `  round ${round + 1}: ${names.map((name) => `${name} ${figures[name].at(-1)?.toFixed(0)}`).join(', ')}`,
    );
  }
  return figures;
}

export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  return middle.reduce((sum, figure) => sum + figure, 0) / middle.length;
}

/** Median of the ratios of all rounds. */
export function medianRatio(figures: readonly number[], others: readonly number[]): number {
  return median(figures.map((figure, round) => figure / (others[round] ?? NaN)));
}

/** @param share such as 0.99 for the 99th percentile */
export function quantile(figures: readonly number[], share: number): number {
  return figures.toSorted((left, right) => left - right)[Math.ceil(figures.length * share) - 1] ?? NaN;
}
