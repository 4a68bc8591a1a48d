import {
  IconBuilding,
  IconChartBar,
  IconCube,
  IconFlask2,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconShieldCheck,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { PermissionName } from '../session/me.js';

/** A page in the navigation. */
export interface NavigationEntry {
  label: string;
  to:
    | '/dashboard'
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

/** Pages that belong together. */
export interface NavigationGroup {
  /** For screen readers and as a heading; none for a single page. */
  label?: string;
  entries: NavigationEntry[];
}

/** The navigation, in order. */
export const navigationGroups: NavigationGroup[] = [
  { entries: [{ label: 'Overview', to: '/dashboard', icon: IconLayoutDashboard }] },
  {
    label: 'API',
    entries: [
      { label: 'API keys', to: '/dashboard/keys', icon: IconKey, permission: 'get-api-keys' },
      { label: 'Usage', to: '/dashboard/usage', icon: IconChartBar, permission: 'get-usage' },
      { label: 'Playground', to: '/dashboard/playground', icon: IconFlask2 },
      { label: 'Models', to: '/dashboard/models', icon: IconCube },
    ],
  },
  {
    label: 'People',
    entries: [
      { label: 'Members', to: '/dashboard/members', icon: IconUsers, permission: 'get-members' },
      { label: 'Roles', to: '/dashboard/roles', icon: IconShieldCheck, permission: 'get-roles' },
      { label: 'Audit log', to: '/dashboard/audit-log', icon: IconHistory, permission: 'get-audit-events' },
    ],
  },
  {
    label: 'Settings',
    entries: [
      { label: 'Webhooks', to: '/dashboard/webhooks', icon: IconWebhook, permission: 'get-webhooks' },
      { label: 'Organization', to: '/dashboard/organization', icon: IconBuilding },
    ],
  },
];

/** The groups with the pages that these permissions allow, without empty groups. */
export function allowedGroups(permissions: readonly PermissionName[]): NavigationGroup[] {
  return navigationGroups
    .map((group) => ({
      ...group,
      entries: group.entries.filter(({ permission }) => permission === undefined || permissions.includes(permission)),
    }))
    .filter(({ entries }) => entries.length > 0);
}
