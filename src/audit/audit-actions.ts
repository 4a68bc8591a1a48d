/** The actions of audit events, with their descriptions. */
export const auditActions = {
  'sign-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'sign-in-blocked': 'Too many wrong passwords blocked further sign-ins for a while',
  'sign-out': 'Signed out',
  'session.end': 'Ended a session',
  'session.reuse': 'Reused a refresh token, which ended the session',
  'session.logout': 'Signed out at the identity provider',
  'password.change': 'Changed the password',
  'password.remove': 'Lost a password set before the email was verified',
  'password.reset-link': 'Created a password reset link on the command line',
  'password.reset-request': 'Asked for a password reset link by mail',
  'password.reset': 'Reset the password',
  'account.update': 'Changed their name',
  'account.list': 'Listed the accounts on the command line',
  'account.delete': 'Deleted an account on the command line',
  'database.backup': 'Backed up the database on the command line',
  'database.restore': 'Restored the database on the command line',
  'database.accept-history': 'Accepted a database that went back in time on the command line',
  'database.migrate': 'Applied migrations on the command line',
  'database.revert': 'Reverted a migration on the command line',
  'organization.create': 'Created an organization',
  'organization.update': 'Changed the organization settings',
  'organization.delete': 'Deleted the organization',
  'organization.move': 'Began to move the organization to another Keycard on the command line',
  'organization.arrive': 'Moved the organization here from another Keycard on the command line',
  'organization.export': 'Exported the organization on the command line',
  'organization.switch': 'Switched to the organization',
  'member.create': 'Joined through the identity provider',
  'member.add-owner': 'Added an Owner on the command line',
  'member.update': "Changed a member's role",
  'member.delete': 'Removed a member',
  'member.keep':
    'Kept a role that the identity provider would remove, as the last member who can manage roles and members',
  'invitation.create': 'Invited a member',
  'invitation.accept': 'Accepted an invitation',
  'invitation.delete': 'Withdrew an invitation',
  'role.create': 'Created a role',
  'role.update': 'Changed a role',
  'role.delete': 'Deleted a role',
  'service-account.create': 'Created a service account',
  'service-account.update': 'Changed a service account',
  'service-account.rotate': 'Rotated a client secret',
  'service-account.delete': 'Deleted a service account',
  'api-key.create': 'Created an API key',
  'api-key.update': 'Changed an API key',
  'api-key.rotate': 'Rotated an API key',
  'api-key.delete': 'Deleted an API key',
  'api-key.leak': 'Received a report that an API key leaked',
  'webhook.create': 'Created a webhook',
  'webhook.update': 'Changed a webhook',
  'webhook.rotate': 'Rotated the secret of a webhook',
  'webhook.test': 'Sent a test event to a webhook',
  'webhook.redeliver': 'Sent an event to a webhook again',
  'webhook.delete': 'Deleted a webhook',
  'webhook.disable': 'Disabled a webhook whose deliveries failed',
  'limit.threshold': 'A limit reached a percentage of its maximum',
} as const;

export type AuditAction = keyof typeof auditActions;

/** OpenAPI schema of an action. */
export const auditActionEnum = {
  enum: Object.keys(auditActions),
  enumName: 'AuditAction',
  enumSchema: { description: 'An action in the audit log.' },
};

/** Accounts that can be actors. */
export const auditAccountKinds = ['user', 'service-account'] as const;
export type AuditAccountKind = (typeof auditAccountKinds)[number];

/** `system` is the service itself. */
export const auditActorKinds = [...auditAccountKinds, 'system'] as const;
export type AuditActorKind = (typeof auditActorKinds)[number];

/** Actions of the service itself, which no route and no command performs. */
export const systemActions = ['limit.threshold', 'webhook.disable'] as const satisfies AuditAction[];

/** What events of the service itself have instead of an IP address. */
export const systemAddress = 'service';

/** What events of the operator on the command line have instead of an email. */
export const operatorEmail = 'Operator (command line)';

export const auditTargetKinds = [
  'organization',
  'user',
  'member',
  'invitation',
  'role',
  'session',
  'service-account',
  'api-key',
  'webhook',
] as const;
export type AuditTargetKind = (typeof auditTargetKinds)[number];

/** OpenAPI schema of a kind of resource. */
export const auditTargetKindEnum = {
  enum: auditTargetKinds,
  enumName: 'AuditTargetKind',
  enumSchema: { description: 'A kind of resource in the audit log.' },
};
