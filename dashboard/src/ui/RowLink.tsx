import { Anchor } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import type { ComponentProps, MouseEvent } from 'react';
import classes from './RowLink.module.css';

interface RowLinkProps extends ComponentProps<'a'> {
  /** Path of a page of the dashboard. */
  href: string;
}

/**
 * A link to a page of the dashboard, for a row of a table. Tables have many rows, and each link of the router observes the
 * location.
 */
export function RowLink({ href, className = '', ...props }: RowLinkProps) {
  const router = useRouter();
  const open = (event: MouseEvent) => {
    // The browser opens it in a tab or window of its own.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void router.navigate({ href });
  };
  return (
    <a
      href={href}
      className={`${Anchor.classes.root} mantine-Anchor-root ${classes.link} ${className}`}
      data-underline="hover"
      onClick={open}
      {...props}
    />
  );
}
