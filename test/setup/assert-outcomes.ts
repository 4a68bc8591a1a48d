import fc from 'fast-check';

interface Coverage<Values> {
  /** Every outcome that the property must have had, as it adds them to `seen`. */
  readonly outcomes: readonly string[];
  readonly seen: ReadonlySet<string>;
  readonly minRuns: number;
  /** More than chance ever needs. */
  readonly maxRuns: number;
  /** Values of the first runs. */
  readonly examples?: Values[];
  /** Whether to report the values that failed as they are, because trying others would take too long. */
  readonly endOnFailure?: boolean;
}

const runsAtOnce = 10;

/**
 * Checks a property with random values until every outcome has occurred, so that no seed has to be lucky. A failure names
 * its seed.
 *
 * @throws Error that names the outcomes that haven't occurred after `maxRuns`
 */
export async function assertOutcomes<Values>(
  property: fc.IAsyncProperty<Values>,
  { outcomes, seen, minRuns, maxRuns, examples = [], endOnFailure = false }: Coverage<Values>,
): Promise<void> {
  const missing = () => outcomes.filter((outcome) => !seen.has(outcome));
  await fc.assert(property, { numRuns: minRuns, examples, endOnFailure });
  for (let runs = minRuns; missing().length > 0; runs += runsAtOnce) {
    if (runs >= maxRuns) throw new Error(`Not seen in ${runs} runs: ${missing().join(', ')}.`);
    await fc.assert(property, { numRuns: runsAtOnce, endOnFailure });
  }
}
