import { Tooltip } from '@mantine/core';
import { type ReactElement, useState } from 'react';
import classes from './DisabledTooltip.module.css';

interface DisabledTooltipProps {
  reason: string;
  children: ReactElement;
}

/** Explains why a control is disabled, on hover, focus and touch. */
export function DisabledTooltip({ reason, children }: DisabledTooltipProps) {
  // After a touch, some browsers end the hover immediately.
  const [isPressed, setIsPressed] = useState(false);
  return (
    <Tooltip
      label={reason}
      multiline
      maw={300}
      events={{ hover: true, focus: true, touch: true }}
      opened={isPressed || undefined}
    >
      {/* Disabled controls don't receive events, so a focusable wrapper does. */}
      <span
        tabIndex={0}
        className={classes.frame}
        onClick={() => setIsPressed(true)}
        onBlur={() => setIsPressed(false)}
      >
        {children}
      </span>
    </Tooltip>
  );
}
