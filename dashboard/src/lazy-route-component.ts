import { lazyRouteComponent as loadLazily } from '@tanstack/react-router';
import { untilReachable } from './api/reachability.js';

/**
 * A page that is loaded when it is visited. The router loads the whole dashboard anew when a page cannot be had, since
 * a newer build may have taken its place; while the service is away, that would leave nothing on the screen.
 */
export const lazyRouteComponent: typeof loadLazily = (load, name) =>
  loadLazily(
    () =>
      load().catch(async () => {
        await untilReachable();
        return load();
      }),
    name,
  );
