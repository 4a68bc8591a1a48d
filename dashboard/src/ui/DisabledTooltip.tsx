import { Tooltip } from '@mantine/core';
import type { ReactElement } from 'react';

interface DisabledTooltipProps {
  reason: string;
  children: ReactElement;
}

/** Explains why a control is disabled, on hover, focus and touch. */
export function DisabledTooltip({ reason, children }: DisabledTooltipProps) {
  return (
    <Tooltip label={reason} multiline maw={300} events={{ hover: true, focus: true, touch: true }}>
      {/* Disabled controls don't receive events, so a focusable wrapper does. */}
      <span tabIndex={0}>{children}</span>
    </Tooltip>
  );
}
