import type { AuditAction } from './actions.js';
import { describeLeakOutcome, describeReportOutcome } from './leak.js';
import type { NamedEvent } from './named-event.js';
import { describeThreshold, readThreshold } from './threshold.js';

/** Part of a sentence. */
export interface Phrase {
  text: string;
  /** `hint` is the first characters of an API key or a client secret. */
  kind: 'words' | 'name' | 'hint';
}

interface Parts {
  actor: Phrase[];
  target: Phrase[];
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  /** Whether the actor affected themselves. */
  isOwn: boolean;
  /** Whether the actor is Keycard itself. */
  isByKeycard: boolean;
  /** Of costs. */
  currency: string | undefined;
}

/** Typed by action, so that adding an action without a sentence fails to compile. */
const sentences: Record<AuditAction, (parts: Parts) => Phrase[]> = {
  'sign-in': ({ actor }) => say`${actor} signed in`,
  'sign-in-failed': ({ actor }) => say`Failed sign-in attempt for ${actor}`,
  'sign-in-blocked': ({ actor }) => say`Sign-in blocked for ${actor} after too many wrong passwords`,
  'sign-out': ({ actor }) => say`${actor} signed out`,
  'session.end': ({ actor }) => say`${actor} ended one of their sessions`,
  'session.reuse': ({ actor }) => say`${actor}'s session ended: refresh token reused (possible theft)`,
  'session.logout': ({ actor }) => say`${actor} signed out at the identity provider`,
  'account.update': ({ actor }) => say`${actor} changed their name`,
  'password.change': ({ actor }) => say`${actor} changed their password`,
  'password.remove': ({ target }) => say`${target}'s password was removed when they first used single sign-on`,
  'password.reset-link': ({ actor, target }) => say`${actor} created a password reset link for ${target}`,
  'password.reset-request': ({ target }) => say`Someone asked for a password reset link for ${target}`,
  'password.reset': ({ actor }) => say`${actor} set a new password with a reset link`,
  'account.list': ({ actor }) => say`${actor} listed all accounts`,
  'account.delete': ({ actor, target }) => say`${actor} deleted the account ${target}`,
  'database.backup': ({ actor }) => say`${actor} backed up the database`,
  'database.restore': ({ actor }) => say`${actor} restored the database from a backup`,
  'database.accept-history': ({ actor }) => say`${actor} accepted a database that went back in time`,
  'database.migrate': ({ actor }) => say`${actor} applied database migrations`,
  'database.revert': ({ actor }) => say`${actor} reverted a database migration`,
  'organization.create': ({ actor, target }) => say`${actor} created the organization ${target}`,
  'organization.update': ({ actor, target, after }) => say`${actor} changed the ${nameSettings(after)} of ${target}`,
  'organization.delete': ({ actor, target }) => say`${actor} deleted the organization ${target}`,
  'organization.move': ({ actor, target }) => say`${actor} began to move ${target} to another Keycard`,
  'organization.arrive': ({ actor, target }) => say`${actor} moved ${target} here from another Keycard`,
  'organization.export': ({ actor, target }) => say`${actor} exported ${target}`,
  'organization.switch': ({ actor, target }) => say`${actor} switched to ${target}`,
  'limit.threshold': ({ target, after, currency }) => {
    const threshold = readThreshold(after);
    return threshold === undefined
      ? say`${target} reached part of a budget`
      : say`${target} reached ${describeThreshold(threshold, currency)}`;
  },
  'webhook.create': ({ actor, target }) => say`${actor} created the webhook ${target}`,
  'webhook.update': ({ actor, target }) => say`${actor} changed the webhook ${target}`,
  'webhook.rotate': ({ actor, target }) => say`${actor} rotated the secret of the webhook ${target}`,
  'webhook.test': ({ actor, target }) => say`${actor} tested the webhook ${target}`,
  'webhook.redeliver': ({ actor, target }) => say`${actor} sent an event to the webhook ${target} again`,
  'webhook.delete': ({ actor, target }) => say`${actor} deleted the webhook ${target}`,
  'webhook.disable': ({ target }) => say`The webhook ${target} was disabled because its deliveries failed`,
  'member.create': ({ actor, after }) => say`${actor} joined through single sign-on${phraseRole(' as ', after)}`,
  'member.add-owner': ({ actor, target, after }) => say`${actor} made ${target} a member${phraseRole(' as ', after)}`,
  'member.update': ({ actor, target, before, after }) =>
    say`${actor} changed the role of ${target}${phraseRole(' from ', before)}${phraseRole(' to ', after)}`,
  'member.delete': ({ actor, target, isOwn }) =>
    isOwn ? say`${actor} left the organization` : say`${actor} removed ${target}`,
  'member.keep': ({ target }) =>
    say`${target} kept their role as the last administrator, despite the identity provider`,
  'invitation.create': ({ actor, target, after }) => say`${actor} invited ${target}${phraseRole(' as ', after)}`,
  'invitation.accept': ({ actor, after }) => say`${actor} accepted an invitation${phraseRole(' as ', after)}`,
  'invitation.delete': ({ actor, target }) => say`${actor} withdrew the invitation for ${target}`,
  'role.create': ({ actor, target }) => say`${actor} created the role ${target}`,
  'role.update': ({ actor, target }) => say`${actor} changed the role ${target}`,
  'role.delete': ({ actor, target }) => say`${actor} deleted the role ${target}`,
  'service-account.create': ({ actor, target, after }) =>
    say`${actor} created the service account ${target}${phraseRole(' as ', after)}`,
  'service-account.update': ({ actor, target, before, after }) => {
    if (revokesPrevious(after)) return say`${actor} revoked the previous client secret of ${withoutHint(target)}`;
    if (Object.keys(after).join() !== 'role') return say`${actor} changed the service account ${target}`;
    return say`${actor} changed the role of ${target}${phraseRole(' from ', before)}${phraseRole(' to ', after)}`;
  },
  'service-account.rotate': ({ actor, target }) => say`${actor} rotated the client secret of ${target}`,
  'service-account.delete': ({ actor, target }) => say`${actor} deleted the service account ${target}`,
  'api-key.create': ({ actor, target }) => say`${actor} created the key ${target}`,
  'api-key.update': ({ actor, target, before, after }) =>
    revokesPrevious(after)
      ? say`${actor} revoked the previous secret${phrasePreviousHint(before)} of ${withoutHint(target)}`
      : say`${actor} ${changesOnlyLimits(after) ? 'changed the limits of' : verbOf(after)} the key ${target}`,
  'api-key.rotate': ({ actor, target }) => say`${actor} rotated the key ${target}`,
  'api-key.delete': ({ actor, target }) => say`${actor} deleted the key ${target}`,
  'api-key.leak': ({ actor, target, after: { secret, outcome }, isByKeycard }) =>
    isByKeycard
      ? say`${secret === 'previous' ? 'The previous secret of ' : ''}${target} leaked${describeLeakOutcome(outcome)}`
      : say`${actor} reported that the key ${target} leaked${describeReportOutcome(outcome)}`,
};

/**
 * Describes the event in a sentence. Unknown actions can occur if the service is newer than the loaded dashboard.
 *
 * @param currency of costs, if it's known
 */
export function describeEvent(event: NamedEvent, currency?: string): Phrase[] {
  const { action, actor, target, targetPerson, before, after } = event;
  const parts = {
    actor: nameActor(event),
    target: [
      toName((targetPerson?.name ?? target.name) || '(no name)'),
      ...(target.hint === undefined ? [] : toHint(target.hint)),
    ],
    before: before ?? {},
    after: after ?? {},
    isOwn: actor.email !== null && actor.email === target.name,
    isByKeycard: actor.kind === 'system',
    currency,
  };
  if (Object.hasOwn(sentences, action)) return sentences[action](parts);
  const words = action.replaceAll(/[.-]/g, ' ');
  return target.name ? say`${parts.actor}: ${words} ${parts.target}` : say`${parts.actor}: ${words}`;
}

/** Keycard itself has no name in events. */
export function nameActor({ actor: { kind, name, email }, person }: NamedEvent): Phrase[] {
  return [toName(kind === 'system' ? 'Keycard' : (person?.name ?? name ?? email ?? 'Someone'))];
}

/** The sentence as plain text. */
export function toPlainText(phrases: Phrase[]): string {
  return phrases.map(({ text }) => text).join('');
}

/** Template tag that joins words and phrases. */
export function say(words: TemplateStringsArray, ...inserted: (Phrase[] | string)[]): Phrase[] {
  return words
    .flatMap((text, index) => [...toPhrases(text), ...toPhrases(inserted[index] ?? '')])
    .filter(({ text }) => text !== '');
}

function toPhrases(phrases: Phrase[] | string): Phrase[] {
  return typeof phrases === 'string' ? [{ text: phrases, kind: 'words' }] : phrases;
}

function toName(text: string): Phrase {
  return { text, kind: 'name' };
}

function toHint(text: string): Phrase[] {
  return [
    { text: ' ', kind: 'words' },
    { text: `${text}…`, kind: 'hint' },
  ];
}

/** The hint belongs to the current secret. */
function withoutHint(target: Phrase[]): Phrase[] {
  return target.slice(0, 1);
}

/** The first characters of a revoked secret, if they're known. */
function phrasePreviousHint({ previousSecretHint }: Record<string, unknown>): Phrase[] {
  return typeof previousSecretHint === 'string' ? toHint(previousSecretHint) : [];
}

/** Whether the event revokes the previous secret after a rotation. Such an event changes nothing else. */
export function revokesPrevious({ previousSecretExpiresAt }: Record<string, unknown>): boolean {
  return previousSecretExpiresAt === null;
}

/** Limits have an editor of their own, and people look for their changes. */
function nameSettings({ limits, ...others }: Record<string, unknown>): string {
  if (limits === undefined) return 'settings';
  return Object.keys(others).length === 0 ? 'limits' : 'settings and limits';
}

const changesOnlyLimits = (after: Record<string, unknown>) => Object.keys(after).join() === 'limits';

/** Names the change of a key: disabling one matters more than a new name. */
export function verbOf({ enabled, ...others }: Record<string, unknown>): string {
  if (typeof enabled !== 'boolean') return 'changed';
  const verb = enabled ? 'enabled' : 'disabled';
  return Object.keys(others).length === 0 ? verb : `${verb} and changed`;
}

/** The member's role before or after the change. An identity provider can claim several. */
function phraseRole(words: string, { role, roles }: Record<string, unknown>): Phrase[] {
  const names = [role, ...(Array.isArray(roles) ? (roles as unknown[]) : [])].filter(
    (value) => typeof value === 'string',
  );
  return names.length === 0 ? [] : say`${words}${[toName(names.join(', '))]}`;
}
