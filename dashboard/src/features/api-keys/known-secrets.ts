import type { ListedApiKey } from '../../api/schema.js';
import { minuteTime } from '../../lib/format-time.js';
import { nameHolder } from './details/describe-holder.js';

/** What lists of keys say about secrets. */
export type Secrets = Pick<ListedApiKey, 'previousSecretExpiresAt' | 'knownToFormerMembers'>;

/** Whether former members know the current secret of a key. */
export function isCurrentKnown({ knownToFormerMembers = [] }: Secrets): boolean {
  return knownToFormerMembers.some(({ secret }) => secret === 'current');
}

/** Whether former members know only the previous secret of a key. It then needn't be rotated again. */
export function isOnlyPreviousKnown(secrets: Secrets): boolean {
  return secrets.knownToFormerMembers?.length === 1 && !isCurrentKnown(secrets);
}

/** Such as "Grace Hopper, who is no longer a member, knows the current secret."; empty if no former member knows one. */
export function describeHolders({ knownToFormerMembers = [] }: Secrets): string {
  return knownToFormerMembers.map((holder) => `${nameHolder(holder)} knows the ${holder.secret} secret.`).join(' ');
}

/** Such as "Previous secret until 21 Nov 2026, 10:31 CET"; empty if no previous secret is accepted. */
export function describePreviousSecret(secrets: Secrets): string {
  const { previousSecretExpiresAt } = secrets;
  if (previousSecretExpiresAt === undefined) return '';
  const start = isOnlyPreviousKnown(secrets)
    ? 'Rotated; removed members know only the previous secret,'
    : 'Previous secret';
  return `${start} until ${minuteTime(previousSecretExpiresAt)}`;
}
