/** Everything a role can allow, in words. The order is that of the pages where roles are edited. */
export const permissionDescriptions = {
  'create-api-keys': 'Create API keys',
  'get-api-keys': 'List API keys',
  'update-api-keys': 'Rename and rotate API keys',
  'delete-api-keys': 'Delete API keys',
  'get-usage': 'See usage',
  'update-organization': 'Change the settings of the organization',
  'get-members': 'List members and invitations',
  'create-members': 'Invite members',
  'update-members': 'Change the role of members',
  'delete-members': 'Remove members and withdraw invitations',
  'get-roles': 'List roles',
  'create-roles': 'Create roles',
  'update-roles': 'Change roles',
  'delete-roles': 'Delete roles',
  'get-audit-events': 'Read the audit log',
} as const;

export type Permission = keyof typeof permissionDescriptions;

export const allPermissions = Object.keys(permissionDescriptions) as Permission[];
