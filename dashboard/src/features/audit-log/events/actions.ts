import type { AuditEvent, AuditTarget } from '../../../api/schema.js';

/** What can be done that the audit log tells of. */
export type AuditAction = AuditEvent['action'];
/** What kinds of things it can be done to. */
export type AuditTargetKind = AuditTarget['kind'];

const actionNames: Record<AuditAction, string> = {
  'api-key.create': 'Key created',
  'api-key.update': 'Key changed',
  'api-key.rotate': 'Key rotated',
  'api-key.delete': 'Key deleted',
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'sign-out': 'Signed out',
  'session.end': 'Session ended',
  'session.reuse': 'Session ended for safety',
  'session.logout': 'Signed out at the identity provider',
  'password.change': 'Password changed',
  'password.remove': 'Password removed',
  'password.reset-link': 'Password reset link created',
  'password.reset': 'Password reset',
  'account.list': 'Accounts listed',
  'account.delete': 'Account deleted',
  'member.create': 'Member joined by single sign-on',
  'member.add-owner': 'Owner added by the operator',
  'member.update': 'Role of a member changed',
  'member.delete': 'Member removed',
  'member.keep': 'Last administrator kept',
  'invitation.create': 'Invitation created',
  'invitation.accept': 'Invitation accepted',
  'invitation.delete': 'Invitation withdrawn',
  'role.create': 'Role created',
  'role.update': 'Role changed',
  'role.delete': 'Role deleted',
  'organization.create': 'Organization created',
  'organization.update': 'Settings changed',
  'organization.switch': 'Organization switched to',
};

const groups: [name: string, member: RegExp][] = [
  ['API keys', /^api-key\./],
  ['Signing in', /^(sign-|session\.|password\.|account\.)/],
  ['Members', /^(member|invitation)\./],
  ['Roles', /^role\./],
  ['Organization', /^organization\./],
];

/** What events can be filtered by, as a Select takes it. */
export const actionChoices = groups.map(([group, member]) => ({
  group,
  items: Object.entries(actionNames)
    .filter(([action]) => member.test(action))
    .map(([value, label]) => ({ value, label })),
}));

/** What events are about, as a Select takes it. */
export const targetKindChoices = Object.entries({
  'api-key': 'API keys',
  user: 'Accounts',
  session: 'Sessions',
  member: 'Members',
  invitation: 'Invitations',
  role: 'Roles',
  organization: 'Organization',
} satisfies Record<AuditTargetKind, string>).map(([value, label]) => ({ value, label }));

/** The action that a text names, if any. */
export function readAction(value: unknown): AuditAction | undefined {
  return Object.keys(actionNames).find((action): action is AuditAction => action === value);
}

/** The kind of thing that a text names, if any. */
export function readTargetKind(value: unknown): AuditTargetKind | undefined {
  return targetKindChoices.map(({ value }) => value).find((kind): kind is AuditTargetKind => kind === value);
}
