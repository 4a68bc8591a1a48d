import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { reachability } from '../api/reachability.js';
import { useStore } from '../api/store.js';

/** Shown during an outage. Data refreshes when the service is back. */
export function ConnectionAlert() {
  if (useStore(reachability) === 'reachable') return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} mb="md" role="status">
      Can&apos;t reach Keycard. Reconnecting…
    </Alert>
  );
}
