import type { Attention, AttentionItem } from '../../api/schema.js';
import { lazily } from '../../lib/lazily.js';
import { formatCount, pluralize } from '../../lib/format-numbers.js';

export type AttentionKind = Attention['kind'];

export interface Description {
  /** Such as "3 keys expire within 7 days". */
  title: string;
  /** What to do. */
  advice: string;
}

/** The service counts no further. */
const maxCount = 1000;

const countOf = (count: number, noun: string) =>
  count === maxCount ? `${formatCount(count)}+ ${noun}s` : pluralize(count, noun);
const form = (count: number, one: string, many: string) => (count === 1 ? one : many);

const descriptions: Record<AttentionKind, (count: number) => Description> = {
  'leaked-keys': (count) => ({
    title: `${countOf(count, 'key')} leaked`,
    advice: 'Rotate or delete immediately. Anyone with the secret can use a key that is still enabled.',
  }),
  'failing-upstreams': (count) => ({
    title: `${pluralize(count, 'upstream')} ${form(count, 'is', 'are')} failing`,
    advice: 'Requests are withheld until the upstream responds again. Check the last error.',
  }),
  'failing-webhooks': (count) => ({
    title: `${pluralize(count, 'webhook')} ${form(count, 'is', 'are')} failing`,
    advice: 'Fix the receiver. Deliveries are retried automatically.',
  }),
  'keys-near-limits': (count) => ({
    title: `${pluralize(count, 'key')} ${form(count, 'has', 'have')} used 80% of a budget or more`,
    advice: 'Raise the budget, or requests will be rejected.',
  }),
  'expiring-keys': (count) => ({
    title: `${countOf(count, 'key')} ${form(count, 'expires', 'expire')} within 7 days`,
    advice: 'Extend the expiry, or replace the key in time.',
  }),
  'keys-known-to-former-members': (count) => ({
    title: `${countOf(count, 'key')} ${form(count, 'has a secret', 'have secrets')} that removed members know`,
    advice: `Removed members and deleted service accounts can still use ${form(
      count,
      'it. Rotate the key; it leaves this list when its previous secret stops working.',
      'them. Rotate the keys; they leave this list when their previous secrets stop working.',
    )}`,
  }),
  'unused-keys': (count) => ({
    title: `${countOf(count, 'key')} not used for 90 days`,
    advice: 'Disable or delete keys you no longer need.',
  }),
  'members-never-signed-in': (count) => ({
    title: `${pluralize(count, 'member')} ${form(count, 'has', 'have')} never signed in`,
    advice: 'Remind them, or remove their access.',
  }),
};

/**
 * What needs attention, and what to do about it.
 *
 * @param mayUpdateKeys whether the reader may raise the budgets of keys
 */
export function describeAttention(
  { kind, count, first }: Pick<Attention, 'kind' | 'count' | 'first'>,
  mayUpdateKeys: boolean,
): Description {
  const description = descriptions[kind](count);
  // Disabled webhooks are first.
  if (kind === 'failing-webhooks' && first.some(({ isDisabled }) => isDisabled === true)) {
    return {
      ...description,
      advice: `Fix the receiver, then enable ${form(count, 'the webhook', 'disabled webhooks')}.`,
    };
  }
  if (kind === 'leaked-keys' && areDisabled({ count, first })) {
    const advice = form(
      count,
      "It's disabled. Rotate it before you enable it.",
      "They're disabled. Rotate them before you enable them.",
    );
    return { ...description, advice };
  }
  if (kind === 'keys-known-to-former-members' && areRotated({ count, first })) {
    return { ...description, advice: rotatedAdvice(count) };
  }
  if (kind !== 'keys-near-limits') return description;
  const rejected = 'Requests beyond a budget are rejected.';
  if (!mayUpdateKeys) return { ...description, advice: rejected };
  // The keys closest to their maximum are first.
  if (!first.some(hasReachedLimit)) return description;
  return { ...description, advice: `${rejected} Raise the budget if they're needed.` };
}

/** Whether all of the keys are known to be disabled. Enabled ones are first. */
function areDisabled({ count, first }: Pick<Attention, 'count' | 'first'>): boolean {
  return count < maxCount && first.every(({ isDisabled }) => isDisabled === true);
}

/** Whether former members are known to know previous secrets only. */
function areRotated({ count, first }: Pick<Attention, 'count' | 'first'>): boolean {
  return count === first.length && first.every(({ previousSecretExpiresAt }) => previousSecretExpiresAt !== undefined);
}

const rotatedAdvice = (count: number) =>
  form(
    count,
    "The key is rotated, but its previous secret still works. Revoke it on the key's page, or wait until it expires.",
    'The keys are rotated, but their previous secrets still work. Revoke these, or wait until they expire.',
  );

/** Whether a key has used all of a limit. */
export function hasReachedLimit({ usedPercent = 0 }: Pick<AttentionItem, 'usedPercent'>): boolean {
  return usedPercent >= 100;
}

const subjects: Record<AttentionKind, string> = {
  'leaked-keys': 'keys',
  'keys-near-limits': 'keys',
  'expiring-keys': 'keys',
  'keys-known-to-former-members': 'keys',
  'unused-keys': 'keys',
  'failing-upstreams': 'upstreams',
  'failing-webhooks': 'webhooks',
  'members-never-signed-in': 'members',
};

const list = lazily(() => new Intl.ListFormat('en-GB', { type: 'conjunction' }));

/** What was checked, such as "upstreams, webhooks and keys". */
export function nameChecked(kinds: readonly AttentionKind[]): string {
  return list().format(new Set(kinds.map((kind) => subjects[kind])));
}
