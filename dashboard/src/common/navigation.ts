import {
  IconBuilding,
  IconChartBar,
  IconCube,
  IconFlask2,
  IconHistory,
  IconKey,
  IconShieldCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { PermissionName } from '../session/me.js';

/** A page in the navigation. */
export interface NavigationEntry {
  label: string;
  to:
    | '/dashboard/keys'
    | '/dashboard/usage'
    | '/dashboard/models'
    | '/dashboard/playground'
    | '/dashboard/members'
    | '/dashboard/roles'
    | '/dashboard/webhooks'
    | '/dashboard/audit-log'
    | '/dashboard/organization';
  icon: typeof IconKey;
  /** Required to see the page. */
  permission?: PermissionName;
}

/** The pages in the navigation, in order. */
export const navigation: NavigationEntry[] = [
  { label: 'API keys', to: '/dashboard/keys', icon: IconKey, permission: 'get-api-keys' },
  { label: 'Usage', to: '/dashboard/usage', icon: IconChartBar, permission: 'get-usage' },
  { label: 'Models', to: '/dashboard/models', icon: IconCube },
  { label: 'Playground', to: '/dashboard/playground', icon: IconFlask2 },
  { label: 'Members', to: '/dashboard/members', icon: IconUsers, permission: 'get-members' },
  { label: 'Roles', to: '/dashboard/roles', icon: IconShieldCheck, permission: 'get-roles' },
  { label: 'Webhooks', to: '/dashboard/webhooks', icon: IconWebhook, permission: 'get-webhooks' },
  { label: 'Audit log', to: '/dashboard/audit-log', icon: IconHistory, permission: 'get-audit-events' },
  { label: 'Organization', to: '/dashboard/organization', icon: IconBuilding },
];

/** Returns the first page in the navigation that these permissions allow. */
export function firstAllowedPage(permissions: PermissionName[]): NavigationEntry['to'] {
  const isAllowed = ({ permission }: NavigationEntry) => permission === undefined || permissions.includes(permission);
  return navigation.find(isAllowed)?.to ?? '/dashboard/playground';
}
