import type { FormerMember } from '../../api/schema.js';

const names = { left: 'Left', removed: 'Removed' };

/** How a membership ended, before a time; "Ended" if the audit log no longer says it. */
export function nameDeparture(departure: FormerMember['departure']): string {
  return departure === null ? 'Ended' : names[departure];
}
