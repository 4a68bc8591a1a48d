import { lazyRouteComponent } from '@tanstack/react-router';
import { waitUntilReachable } from '../api/reachability.js';

/**
 * Loads a component when it's first rendered or when its `preload` is called. If a file is missing, the router reloads
 * the page, because a newer build may have replaced it. During an outage that would leave a blank page, so this waits
 * until the service is back.
 */
export const lazyComponent: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async () => {
        await waitUntilReachable();
        return load();
      }),
    name,
  );
