import { useClickOutside } from '@mantine/hooks';
import { type PointerEvent, useRef, useState } from 'react';

interface ChartState {
  activeLabel?: string | number | undefined;
  isTooltipActive: boolean;
}

/**
 * Reports the start of the clicked interval, also of clicks above a low bar. A touchscreen can't hover, so a tap shows the
 * tooltip of an interval until another place is tapped, and only a second tap counts as a click.
 *
 * @param onOpen undefined if clicks do nothing
 */
export function useOpenedInterval(onOpen: ((start: string) => void) | undefined) {
  /** Whether the tooltip stays; undefined if it follows the mouse. */
  const [staysOpen, setStaysOpen] = useState<boolean>();
  /** The interval whose tooltip was shown before the tap; undefined for a mouse. */
  const tapped = useRef<Pick<ChartState, 'activeLabel'>>(undefined);
  const ref = useClickOutside<HTMLDivElement>(() => setStaysOpen((stays) => stays && false), ['pointerdown']);
  return {
    tooltipProps: staysOpen === undefined ? {} : { active: staysOpen },
    rootProps: {
      ref,
      onPointerMove: ({ pointerType }: PointerEvent) => {
        if (pointerType !== 'mouse') return;
        tapped.current = undefined;
        setStaysOpen(undefined);
      },
    },
    chartProps: {
      // Comes before the tap moves the tooltip.
      onTouchStart: ({ activeLabel, isTooltipActive }: ChartState) => {
        tapped.current = staysOpen === true && isTooltipActive ? { activeLabel } : {};
        setStaysOpen(true);
      },
      ...(onOpen && {
        onClick: ({ activeLabel }: ChartState) => {
          const showsTooltip = tapped.current === undefined || tapped.current.activeLabel === activeLabel;
          if (typeof activeLabel !== 'string' || !showsTooltip) return;
          // Until the mouse moves: the tooltip would be that of the hour with the number of the day.
          setStaysOpen(false);
          onOpen(activeLabel);
        },
        style: { cursor: 'inherit' },
      }),
      // A tap moves and clicks within a frame, so the interval would still be that of the previous tap.
      throttledEvents: [],
    },
  };
}
