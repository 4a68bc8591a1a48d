/**
 * Takes one of the items at random, each as often as its weight says.
 *
 * @param items not empty; weights are above 0
 * @param random from 0 to below 1
 * @returns the index of the item
 */
export function chooseByWeight(items: readonly { readonly weight: number }[], random: number): number {
  const total = items.reduce((sum, { weight }) => sum + weight, 0);
  let rest = random * total;
  const index = items.findIndex(({ weight }) => (rest -= weight) < 0);
  // Sums of fractions may miss the last by a hair.
  return index === -1 ? items.length - 1 : index;
}
