import type { AuditEvent, AuditTarget } from '../../../api/schema.js';

export type AuditAction = AuditEvent['action'];
export type AuditTargetKind = AuditTarget['kind'];

const actionNames: Record<AuditAction, string> = {
  'api-key.create': 'Key created',
  'api-key.update': 'Key or its limits changed, enabled or disabled',
  'api-key.rotate': 'Key rotated',
  'api-key.delete': 'Key deleted',
  'api-key.leak': 'Key leaked',
  'service-account.create': 'Service account created',
  'service-account.update': 'Service account changed',
  'service-account.rotate': 'Client secret rotated',
  'service-account.delete': 'Service account deleted',
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'sign-in-blocked': 'Sign-in blocked',
  'sign-out': 'Signed out',
  'session.end': 'Session ended',
  'session.reuse': 'Refresh token reused',
  'session.logout': 'Signed out at the identity provider',
  'password.change': 'Password changed',
  'password.remove': 'Password removed',
  'password.reset-link': 'Password reset link created',
  'password.reset-request': 'Password reset link requested',
  'password.reset': 'Password reset',
  'account.update': 'Name changed',
  'account.list': 'Accounts listed',
  'account.delete': 'Account deleted',
  'member.create': 'Member joined through single sign-on',
  'member.add-owner': 'Owner added by operator',
  'member.update': 'Member role changed',
  'member.delete': 'Member removed',
  'member.keep': 'Last administrator kept their role',
  'invitation.create': 'Invitation created',
  'invitation.accept': 'Invitation accepted',
  'invitation.delete': 'Invitation withdrawn',
  'role.create': 'Role created',
  'role.update': 'Role changed',
  'role.delete': 'Role deleted',
  'organization.create': 'Organization created',
  'organization.update': 'Settings or limits changed',
  'organization.delete': 'Organization deleted',
  'organization.move': 'Move to another Keycard begun',
  'organization.arrive': 'Organization moved here',
  'organization.export': 'Organization exported',
  'organization.switch': 'Organization switched',
  'webhook.create': 'Webhook created',
  'webhook.update': 'Webhook changed',
  'webhook.rotate': 'Webhook secret rotated',
  'webhook.test': 'Webhook tested',
  'webhook.redeliver': 'Event redelivered',
  'webhook.delete': 'Webhook deleted',
  'webhook.disable': 'Webhook disabled after failures',
  'limit.threshold': 'Budget threshold reached',
  'database.backup': 'Database backed up',
  'database.restore': 'Database restored',
  'database.accept-history': 'Database history accepted',
  'database.migrate': 'Migrations applied',
  'database.revert': 'Migration reverted',
};

const groups: [name: string, actions: RegExp][] = [
  ['API keys', /^api-key\./],
  ['Limits', /^limit\./],
  ['Sign-in', /^(sign-|session\.|password\.|account\.)/],
  ['Members', /^(member|invitation)\./],
  ['Service accounts', /^service-account\./],
  ['Roles', /^role\./],
  ['Webhooks', /^webhook\./],
  ['Organization', /^(organization|database)\./],
];

/** Options of the action filter. The audit log is deleted with its organization, so that event is never found. */
export const actionChoices = groups.map(([group, actions]) => ({
  group,
  items: Object.entries(actionNames)
    .filter(([action]) => actions.test(action) && action !== 'organization.delete')
    .map(([value, label]) => ({ value, label })),
}));

/** Options of the target filter. */
export const targetKindChoices = Object.entries({
  'api-key': 'API keys',
  user: 'Accounts',
  session: 'Sessions',
  member: 'Members',
  invitation: 'Invitations',
  'service-account': 'Service accounts',
  role: 'Roles',
  webhook: 'Webhooks',
  organization: 'Organization',
} satisfies Record<AuditTargetKind, string>).map(([value, label]) => ({ value, label }));

/** Returns the value if it's a known action. */
export function readAction(value: unknown): AuditAction | undefined {
  return Object.keys(actionNames).find((action): action is AuditAction => action === value);
}

/** Returns the value if it's a known kind of target. */
export function readTargetKind(value: unknown): AuditTargetKind | undefined {
  return targetKindChoices.map(({ value }) => value).find((kind): kind is AuditTargetKind => kind === value);
}
