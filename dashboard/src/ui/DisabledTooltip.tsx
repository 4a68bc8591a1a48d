import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

interface DisabledTooltipProps {
  reason: string;
  children: ReactElement;
}

/** Says why a control is disabled, to the mouse, the keyboard and the finger alike. */
export function DisabledTooltip({ reason, children }: DisabledTooltipProps) {
  return (
    <Tooltip label={reason} events={{ hover: true, focus: true, touch: true }}>
      {/* A disabled control gets no events, so what explains it is around it, and in the order of the Tab key. */}
      <span tabIndex={0}>{children}</span>
    </Tooltip>
  );
}
