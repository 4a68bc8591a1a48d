import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import { type PermissionName, usePermission } from '../session/me.js';

interface PermissionTooltipProps {
  permission: PermissionName;
  /** The control, which is told whether it is disabled. */
  children: (isDisabled: boolean) => ReactElement;
}

/** Disables what the user may not do, and names the permission that is missing. */
export function PermissionTooltip({ permission, children }: PermissionTooltipProps) {
  const isAllowed = usePermission(permission);
  if (isAllowed) return children(false);
  return (
    <Tooltip label={`Needs the permission ${permission}`} events={{ hover: true, focus: true, touch: true }}>
      {/* A disabled control gets no events, so what explains it is around it, and in the order of the Tab key. */}
      <span tabIndex={0}>{children(true)}</span>
    </Tooltip>
  );
}
