import {
  IconAlertTriangle,
  IconBuilding,
  IconDeviceLaptop,
  IconHistory,
  IconKey,
  IconMailForward,
  IconShieldCheck,
  IconUser,
  IconUsers,
} from '@tabler/icons-react';
import type { AuditEvent } from '../../../api/schema.js';
import type { AuditTargetKind } from './actions.js';

const icons: Record<AuditTargetKind, typeof IconKey> = {
  'api-key': IconKey,
  user: IconUser,
  session: IconDeviceLaptop,
  member: IconUsers,
  invitation: IconMailForward,
  role: IconShieldCheck,
  organization: IconBuilding,
};

/** Whether somebody should look at it, such as a sign-in that has failed. */
export function isAlarming({ action }: AuditEvent): boolean {
  return action === 'sign-in-failed' || action === 'session.reuse';
}

/** What kind of thing an event is about, at a glance. */
export function EventIcon({ event }: { event: AuditEvent }) {
  const { kind } = event.target;
  const KindIcon = Object.hasOwn(icons, kind) ? icons[kind] : IconHistory;
  return isAlarming(event) ? <IconAlertTriangle size={16} aria-hidden /> : <KindIcon size={16} aria-hidden />;
}
