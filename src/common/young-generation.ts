import { setFlagsFromString } from 'node:v8';

/** V8's flag and its default. */
const growthFactor = '--semi-space-growth-factor';
const defaultFactor = 2;

/** V8's flags for `setUpYoungGeneration`, for a process that loads everything before it runs any code. */
export const youngGenerationFlags = [`${growthFactor}=1`, '--no-allocation-site-pretenuring'];

/**
 * Sets up the young generation, where V8 creates new objects:
 *
 * - It doesn't grow to its maximum while the service loads, when most of what is allocated stays. An idle service would
 *   never give that memory back.
 * - Every object is created there. By default, V8 creates the objects of some allocation sites in the old generation, and
 *   the next collection moves everything they refer to there as well. That is a tenth of what requests allocate, and only
 *   a full collection frees it.
 */
export function setUpYoungGeneration(): void {
  for (const flag of youngGenerationFlags) setFlagsFromString(flag);
}

/** Lets the young generation grow with the load again. */
export function letYoungGenerationGrow(): void {
  setFlagsFromString(`${growthFactor}=${defaultFactor}`);
}
