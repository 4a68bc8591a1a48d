import type { AuditEvent } from '../../../api/schema.js';
import type { AuditAction } from './actions.js';

/** A piece of a sentence. */
interface Phrase {
  text: string;
  /** Plain words, the name of somebody or something, or the first characters of a key. */
  kind: 'words' | 'name' | 'hint';
}

interface Parts {
  actor: Phrase[];
  target: Phrase[];
  before: Record<string, unknown>;
  after: Record<string, unknown>;
}

/** A new action of the service does not compile until it has its sentence here. */
const sentences: Record<AuditAction, (parts: Parts) => Phrase[]> = {
  'sign-in': ({ actor }) => say`${actor} signed in`,
  'sign-in-failed': ({ actor }) => say`Somebody failed to sign in as ${actor}`,
  'sign-out': ({ actor }) => say`${actor} signed out`,
  'session.end': ({ actor }) => say`${actor} ended one of their sessions`,
  'session.reuse': ({ actor }) => say`A session of ${actor} was ended for safety: its cookie was used twice`,
  'session.logout': ({ actor }) => say`${actor} signed out at the identity provider`,
  'password.change': ({ actor }) => say`${actor} changed their password`,
  'password.remove': ({ target }) => say`The password of ${target} was removed at their first single sign-on`,
  'password.reset-link': ({ actor, target }) => say`${actor} created a password reset link for ${target}`,
  'password.reset': ({ actor }) => say`${actor} set a new password with a reset link`,
  'account.list': ({ actor }) => say`${actor} listed all accounts`,
  'account.delete': ({ actor, target }) => say`${actor} deleted the account ${target}`,
  'organization.create': ({ actor, target }) => say`${actor} created the organization ${target}`,
  'organization.update': ({ actor, target }) => say`${actor} changed the settings of ${target}`,
  'organization.switch': ({ actor, target }) => say`${actor} switched to ${target}`,
  'member.create': ({ actor, after }) => say`${actor} joined by single sign-on${phraseRole(' as ', after)}`,
  'member.add-owner': ({ actor, target, after }) => say`${actor} made ${target} a member${phraseRole(' as ', after)}`,
  'member.update': ({ actor, target, before, after }) =>
    say`${actor} changed the role of ${target}${phraseRole(' from ', before)}${phraseRole(' to ', after)}`,
  'member.delete': ({ actor, target }) =>
    textOf(actor) === textOf(target) ? say`${actor} left the organization` : say`${actor} removed ${target}`,
  'member.keep': ({ target }) =>
    say`${target} kept their role as the last administrator, against the identity provider`,
  'invitation.create': ({ actor, target, after }) => say`${actor} invited ${target}${phraseRole(' as ', after)}`,
  'invitation.accept': ({ actor, after }) => say`${actor} accepted an invitation${phraseRole(' as ', after)}`,
  'invitation.delete': ({ actor, target }) => say`${actor} withdrew the invitation of ${target}`,
  'role.create': ({ actor, target }) => say`${actor} created the role ${target}`,
  'role.update': ({ actor, target }) => say`${actor} changed the role ${target}`,
  'role.delete': ({ actor, target }) => say`${actor} deleted the role ${target}`,
  'api-key.create': ({ actor, target }) => say`${actor} created the key ${target}`,
  'api-key.update': ({ actor, target }) => say`${actor} changed the key ${target}`,
  'api-key.rotate': ({ actor, target }) => say`${actor} rotated the key ${target}`,
  'api-key.delete': ({ actor, target }) => say`${actor} deleted the key ${target}`,
};

/** What happened, as a sentence. A service that is newer than this page may tell of actions that it does not know. */
export function describeEvent({ action, actor, target, before, after }: AuditEvent): Phrase[] {
  const parts = {
    actor: [name(actor.email ?? 'Somebody')],
    target: [name(target.name || '(no name)'), ...(target.hint === undefined ? [] : hint(target.hint))],
    before: before ?? {},
    after: after ?? {},
  };
  if (Object.hasOwn(sentences, action)) return sentences[action](parts);
  const words = action.replaceAll(/[.-]/g, ' ');
  return target.name ? say`${parts.actor}: ${words} ${parts.target}` : say`${parts.actor}: ${words}`;
}

/** The sentence without its looks. */
export function textOf(phrases: Phrase[]): string {
  return phrases.map(({ text }) => text).join('');
}

/** Puts words and phrases together. */
function say(words: TemplateStringsArray, ...inserted: (Phrase[] | string)[]): Phrase[] {
  return words
    .flatMap((text, index) => [...wordsOf(text), ...wordsOf(inserted[index] ?? '')])
    .filter(({ text }) => text !== '');
}

function wordsOf(phrases: Phrase[] | string): Phrase[] {
  return typeof phrases === 'string' ? [{ text: phrases, kind: 'words' }] : phrases;
}

function name(text: string): Phrase {
  return { text, kind: 'name' };
}

function hint(text: string): Phrase[] {
  return [
    { text: ' ', kind: 'words' },
    { text: `${text}…`, kind: 'hint' },
  ];
}

/** The role that a member has before or after a change; an identity provider may give several. */
function phraseRole(words: string, { role, roles }: Record<string, unknown>): Phrase[] {
  const names = [role, ...(Array.isArray(roles) ? (roles as unknown[]) : [])].filter(
    (value) => typeof value === 'string',
  );
  return names.length === 0 ? [] : say`${words}${[name(names.join(', '))]}`;
}
