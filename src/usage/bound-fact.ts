import { meters } from '../common/rules/meters.js';
import { maxModelIdLength } from '../common/rules/text-rules.js';
import { isCount, maxCount, toStorableText } from '../common/storable.js';
import type { UsageFact } from './write-usage.js';

/** A fact that PostgreSQL can store and add up. A number that can't be right counts as unknown, which is 0. */
export function boundFact(fact: UsageFact): UsageFact {
  const { model, milliseconds, firstTokenMilliseconds } = fact;
  const bound = {
    ...fact,
    model: toStorableText(model, maxModelIdLength),
    milliseconds: boundDuration(milliseconds),
    ...(firstTokenMilliseconds !== undefined && { firstTokenMilliseconds: boundDuration(firstTokenMilliseconds) }),
  };
  for (const { name } of meters) if (bound[name] !== undefined && !isCount(bound[name])) bound[name] = 0;
  return bound;
}

const boundDuration = (milliseconds: number) => (milliseconds >= 0 ? Math.min(milliseconds, maxCount) : 0);
