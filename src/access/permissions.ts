/** Headings on the page where roles are edited, in order. */
export const permissionGroups = [
  'API keys',
  'Usage',
  'Organization',
  'Members',
  'Service accounts',
  'Roles',
  'Webhooks',
  'Audit log',
] as const;

export interface PermissionDefinition {
  description: string;
  group: (typeof permissionGroups)[number];
  /** Name of the migration that gives it to existing roles; missing for permissions of the first schema. */
  since?: string;
}

/** All permissions, in the order shown where roles are edited. */
export const permissionCatalog = {
  'create-api-keys': { description: 'Create API keys', group: 'API keys' },
  'get-api-keys': { description: 'List API keys', group: 'API keys' },
  'update-api-keys': { description: 'Change and rotate API keys', group: 'API keys' },
  'delete-api-keys': { description: 'Delete API keys', group: 'API keys' },
  'get-usage': { description: 'See usage', group: 'Usage' },
  'update-organization': { description: 'Change organization settings', group: 'Organization' },
  'delete-organization': { description: 'Delete the organization', group: 'Organization' },
  'get-members': { description: 'List members and invitations', group: 'Members' },
  'create-members': { description: 'Invite members', group: 'Members' },
  'update-members': { description: 'Change member roles', group: 'Members' },
  'delete-members': { description: 'Remove members and withdraw invitations', group: 'Members' },
  'get-service-accounts': { description: 'List service accounts', group: 'Service accounts' },
  'create-service-accounts': { description: 'Create service accounts', group: 'Service accounts' },
  'update-service-accounts': { description: 'Change and rotate service accounts', group: 'Service accounts' },
  'delete-service-accounts': { description: 'Delete service accounts', group: 'Service accounts' },
  'get-roles': { description: 'List roles', group: 'Roles' },
  'create-roles': { description: 'Create roles', group: 'Roles' },
  'update-roles': { description: 'Change roles', group: 'Roles' },
  'delete-roles': { description: 'Delete roles', group: 'Roles' },
  'get-webhooks': { description: 'List webhooks and deliveries', group: 'Webhooks', since: 'AddEvents1795630000000' },
  'create-webhooks': { description: 'Create webhooks', group: 'Webhooks', since: 'AddEvents1795630000000' },
  'update-webhooks': {
    description: 'Change, rotate and test webhooks, and redeliver events',
    group: 'Webhooks',
    since: 'AddEvents1795630000000',
  },
  'delete-webhooks': { description: 'Delete webhooks', group: 'Webhooks', since: 'AddEvents1795630000000' },
  'get-audit-events': { description: 'Read the audit log', group: 'Audit log' },
} as const satisfies Record<string, PermissionDefinition>;

export type Permission = keyof typeof permissionCatalog;

export const allPermissions = Object.keys(permissionCatalog) as Permission[];

/** The permissions that change nothing. */
export const readingPermissions = allPermissions.filter(isReading);

/** Whether a permission only reads: its name starts with `get-`. */
export function isReading(permission: string): boolean {
  return permission.startsWith('get-');
}

/** OpenAPI schema of a permission. */
export const permissionEnum = {
  enum: allPermissions,
  enumName: 'Permission',
  enumSchema: { description: 'A permission, such as `create-api-keys`.' },
};
