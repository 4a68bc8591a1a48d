/** Everything that leaves an event in the audit log, in words. */
export const auditActions = {
  'sign-in': 'Signed in',
  'sign-in-failed': 'Failed to sign in',
  'sign-out': 'Signed out',
  'session.end': 'Ended a session',
  'session.reuse': 'A refresh token was used twice, and its session ended',
  'session.logout': 'Signed out at the identity provider',
  'password.change': 'Changed the password',
  'password.remove': 'Lost a password that was set before the email was verified',
  'password.reset-link': 'Created a password reset link on the command line',
  'password.reset': 'Set a new password with a reset link',
  'account.list': 'Listed the accounts on the command line',
  'account.delete': 'Deleted an account on the command line',
  'organization.create': 'Created an organization',
  'organization.update': 'Changed the settings of the organization',
  'organization.switch': 'Switched to the organization',
  'member.create': 'Became a member through the identity provider',
  'member.add-owner': 'Made an account an Owner on the command line',
  'member.update': 'Changed the role of a member',
  'member.delete': 'Removed a member',
  'member.keep': 'Kept their roles against the identity provider, as the last member who can change roles and members',
  'invitation.create': 'Invited somebody',
  'invitation.accept': 'Accepted an invitation',
  'invitation.delete': 'Withdrew an invitation',
  'role.create': 'Created a role',
  'role.update': 'Changed a role',
  'role.delete': 'Deleted a role',
  'api-key.create': 'Created an API key',
  'api-key.update': 'Changed an API key',
  'api-key.rotate': 'Rotated an API key',
  'api-key.delete': 'Deleted an API key',
} as const;

export type AuditAction = keyof typeof auditActions;

export const auditTargetKinds = ['organization', 'user', 'member', 'invitation', 'role', 'session', 'api-key'] as const;
export type AuditTargetKind = (typeof auditTargetKinds)[number];
