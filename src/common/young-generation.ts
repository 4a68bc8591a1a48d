import { setFlagsFromString } from 'node:v8';

/** V8's flag and its default. */
const growthFactor = '--semi-space-growth-factor';
const defaultFactor = 2;

/** V8's flag for `keepYoungGenerationSmall`, for a process that loads everything before it runs any code. */
export const smallYoungGenerationFlag = `${growthFactor}=1`;

/**
 * Keeps V8 from growing the young generation to its maximum while the service loads, when most of what is allocated stays.
 * An idle service would never give that memory back.
 */
export function keepYoungGenerationSmall(): void {
  setFlagsFromString(smallYoungGenerationFlag);
}

/** Lets the young generation grow with the load again. */
export function letYoungGenerationGrow(): void {
  setFlagsFromString(`${growthFactor}=${defaultFactor}`);
}
