import { invalidField } from '../../common/errors/app-error.js';
import { maxLimits } from '../../common/rules/limit-rules.js';
import type { Limit } from '../../limits/limit.js';
import { increaseLimits, mergeLimits, toStoredIncreases, toStoredLimits } from '../../limits/stored-limits.js';
import type { ApiKey } from '../api-key.entity.js';
import type { BulkUpdateApiKeysDto } from './bulk.dto.js';

/** Returns the limits that a key will have; undefined to keep its own. */
type LimitChange = (key: Pick<ApiKey, 'name' | 'limits'>) => Limit[] | null | undefined;

type RequestedLimits = Pick<BulkUpdateApiKeysDto, 'limits' | 'setLimits' | 'increaseLimits'>;

/**
 * Reads how a request changes the limits of each key.
 *
 * @throws AppError 400 if it does so in several ways. The change throws one if a key would have too many limits.
 */
export function readLimitChange({ limits, setLimits, increaseLimits: requested }: RequestedLimits): LimitChange {
  if (limits !== undefined && setLimits !== undefined) {
    throw invalidField('setLimits', 'Send limits or setLimits, not both.');
  }
  if (requested !== undefined) {
    if (limits !== undefined || setLimits !== undefined) {
      throw invalidField('increaseLimits', 'Send increaseLimits without limits or setLimits.');
    }
    const increases = toStoredIncreases(requested);
    return (key) => increaseLimits(key.limits, increases);
  }
  if (setLimits !== undefined) {
    const added = toStoredLimits(setLimits);
    return (key) => addLimits(key, added);
  }
  const replacement = limits && toStoredLimits(limits);
  return () => replacement;
}

function addLimits({ name, limits }: Pick<ApiKey, 'name' | 'limits'>, added: readonly Limit[] | null): Limit[] | null {
  const merged = mergeLimits(limits, added);
  if (merged === null || merged.length <= maxLimits) return merged;
  throw invalidField('setLimits', `${name} would have ${merged.length} limits. A key has at most ${maxLimits}.`);
}
