import { Stack } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import classes from './DialogFooter.module.css';

interface DialogFooterProps {
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** The footer of a dialog, which stays visible while the content scrolls. */
export function DialogFooter({ ref, children }: DialogFooterProps) {
  return (
    <Stack ref={ref} className={classes.footer} gap="sm">
      {children}
    </Stack>
  );
}
