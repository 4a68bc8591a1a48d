/** Calls a function concurrently. */
export interface CallsTask {
  callers: number;
  seconds: number;
}

export interface CallsResult {
  callsPerSecond: number;
  /** Includes the warm-up. */
  calls: number;
}

const warmUpMilliseconds = 200;

/**
 * Each caller verifies one key after another.
 *
 * @param verify whether the key is valid
 */
export async function callRepeatedly(
  { callers, seconds }: CallsTask,
  keys: readonly string[],
  verify: (key: string) => Promise<boolean>,
): Promise<CallsResult> {
  let calls = 0;
  const callUntil = async (end: number) => {
    const call = async () => {
      while (performance.now() < end) {
        if (!(await verify(keys[calls++ % keys.length] ?? ''))) throw new Error('A key was not found.');
      }
    };
    await Promise.all(Array.from({ length: callers }, call));
  };
  await callUntil(performance.now() + warmUpMilliseconds);
  const [start, earlier] = [performance.now(), calls];
  await callUntil(start + seconds * 1000);
  return { callsPerSecond: ((calls - earlier) * 1000) / (performance.now() - start), calls };
}
