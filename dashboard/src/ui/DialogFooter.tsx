import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './DialogFooter.module.css';

/** The footer of a dialog, which stays visible while the content scrolls. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <Stack className={classes.footer} gap="sm">
      {children}
    </Stack>
  );
}
