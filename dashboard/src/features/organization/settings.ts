import type { UpdateOrganization } from '../../api/schema.js';

/** What the service takes: ten years. */
export const largestLifetimeDays = 3650;

/** What is typed of an organization's settings. */
export interface OrganizationValues {
  name: string;
  hasLongestLifetime: boolean;
  /** In days; what a number field holds while it is empty or half typed is a text. */
  longestKeyLifetimeDays: number | string;
}

/** What is wrong with the days; undefined when nothing is, or when there is no limit. */
export function checkLifetimeDays({
  hasLongestLifetime,
  longestKeyLifetimeDays: days,
}: Pick<OrganizationValues, 'hasLongestLifetime' | 'longestKeyLifetimeDays'>): string | undefined {
  const isValid = typeof days === 'number' && Number.isInteger(days) && days >= 1 && days <= largestLifetimeDays;
  return !hasLongestLifetime || isValid ? undefined : `Use a whole number from 1 to ${largestLifetimeDays}.`;
}

/** What differs, so that what others have changed meanwhile stays; undefined when nothing does. */
export function settingsChanges(
  before: Required<UpdateOrganization>,
  { name, hasLongestLifetime, longestKeyLifetimeDays: days }: OrganizationValues,
): UpdateOrganization | undefined {
  const after = hasLongestLifetime ? Number(days) : null;
  const isRenamed = name.trim() !== before.name;
  const isLimited = after !== before.longestKeyLifetimeDays;
  if (!isRenamed && !isLimited) return undefined;
  return { ...(isRenamed && { name }), ...(isLimited && { longestKeyLifetimeDays: after }) };
}
