import {
  IconAlertTriangle,
  IconBuilding,
  IconDeviceLaptop,
  IconHistory,
  IconKey,
  IconMailForward,
  IconRobot,
  IconShieldCheck,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react';
import type { AuditEvent } from '../../../api/schema.js';
import type { AuditTargetKind } from './actions.js';

const icons: Record<AuditTargetKind, typeof IconKey> = {
  'api-key': IconKey,
  user: IconUser,
  session: IconDeviceLaptop,
  member: IconUsers,
  invitation: IconMailForward,
  'service-account': IconRobot,
  role: IconShieldCheck,
  organization: IconBuilding,
  webhook: IconWebhook,
};

/** Whether the event may be part of an attack, such as a failed sign-in or a leaked key, unless a member reported the leak. */
export function isSuspicious({ action, actor }: AuditEvent): boolean {
  if (action === 'api-key.leak') return actor.kind === 'system';
  return ['sign-in-failed', 'sign-in-blocked', 'session.reuse'].includes(action);
}

/** Shows the kind of target, or a warning sign for suspicious events. */
export function EventIcon({ event, size = 16 }: { event: AuditEvent; size?: number }) {
  const { kind } = event.target;
  const KindIcon = Object.hasOwn(icons, kind) ? icons[kind] : IconHistory;
  return isSuspicious(event) ? <IconAlertTriangle size={size} aria-hidden /> : <KindIcon size={size} aria-hidden />;
}
