import { Box, Button } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyComponent } from '../../../lib/lazy-component.js';
import { usePermission } from '../../../session/me.js';
import classes from './SelectionActions.module.css';

const CreatorFilter = lazyComponent(() => import('./CreatorFilter.js'), 'CreatorFilter');

interface CreatorControlProps {
  creatorId: string | undefined;
  onChange: (creatorId: string | undefined) => void;
}

/** Filters by creator. A button until it's used, because the field isn't part of the first download. */
export function CreatorControl({ creatorId, onChange }: CreatorControlProps) {
  const [isUsed, setIsUsed] = useState(false);
  const maySearch = [usePermission('get-members'), usePermission('get-service-accounts')].includes(true);
  if (creatorId === undefined && !isUsed) {
    return (
      maySearch && (
        <Button
          variant="default"
          px={12}
          fw={400}
          c="var(--mantine-color-text)"
          className={classes.creator}
          justify="space-between"
          rightSection={<IconSelector size={16} color="var(--mantine-color-dimmed)" aria-hidden />}
          onMouseEnter={() => void CreatorFilter.preload?.()}
          onFocus={() => void CreatorFilter.preload?.()}
          onClick={() => setIsUsed(true)}
        >
          All creators
        </Button>
      )
    );
  }
  return (
    <Suspense fallback={<Box className={classes.creator} />}>
      <CreatorFilter
        className={classes.creator}
        startsOpen={isUsed && creatorId === undefined}
        creatorId={creatorId}
        onChange={(id) => {
          setIsUsed(true);
          onChange(id);
        }}
      />
    </Suspense>
  );
}
