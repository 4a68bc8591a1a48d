import type { ReactElement } from 'react';
import { type PermissionName, usePermission } from '../session/me.js';
import { usePermissionLabels } from '../session/permissions.js';
import { DisabledTooltip } from './DisabledTooltip.js';

interface PermissionTooltipProps {
  permission: PermissionName;
  /** Renders the control. */
  children: (isDisabled: boolean) => ReactElement;
}

/** Disables a control and explains why if the user lacks a permission. */
export function PermissionTooltip({ permission, children }: PermissionTooltipProps) {
  if (usePermission(permission)) return children(false);
  return <MissingPermission permission={permission}>{children(true)}</MissingPermission>;
}

function MissingPermission({ permission, children }: { permission: PermissionName; children: ReactElement }) {
  const reason = `Requires the permission “${usePermissionLabels()(permission)}”`;
  return <DisabledTooltip reason={reason}>{children}</DisabledTooltip>;
}
