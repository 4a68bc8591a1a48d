import { Alert } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { reachability } from '../api/reachability.js';
import { useStore } from '../api/store.js';

/** Says so while the service does not answer. What was loaded stays, and is loaded anew once it is back. */
export function ServiceBanner() {
  if (useStore(reachability) === 'reachable') return null;
  return (
    <Alert color="orange" icon={<IconPlugConnectedX />} mb="md" role="status">
      Keycard cannot be reached at the moment. This page goes on by itself as soon as it can.
    </Alert>
  );
}
