import type { ReactElement } from 'react';
import { type PermissionName, usePermission } from '../session/me.js';
import { DisabledTooltip } from './DisabledTooltip.js';

interface PermissionTooltipProps {
  permission: PermissionName;
  /** The control, which is told whether it is disabled. */
  children: (isDisabled: boolean) => ReactElement;
}

/** Disables what the user may not do, and names the permission that is missing. */
export function PermissionTooltip({ permission, children }: PermissionTooltipProps) {
  if (usePermission(permission)) return children(false);
  return <DisabledTooltip reason={`Needs the permission ${permission}`}>{children(true)}</DisabledTooltip>;
}
