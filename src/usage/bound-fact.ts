import { isCount, maxCount, toStorableText } from '../common/storable.js';
import { maxModelIdLength } from '../common/rules/text-rules.js';
import type { UsageFact } from './write-usage.js';

/** A fact that PostgreSQL can store and add up. A number that can't be right counts as unknown, which is 0. */
export function boundFact(fact: UsageFact): UsageFact {
  const { model, inputTokens, pages, milliseconds } = fact;
  return {
    ...fact,
    model: toStorableText(model, maxModelIdLength),
    inputTokens: isCount(inputTokens) ? inputTokens : 0,
    pages: isCount(pages) ? pages : 0,
    milliseconds: milliseconds >= 0 ? Math.min(milliseconds, maxCount) : 0,
  };
}
