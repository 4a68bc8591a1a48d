import { lazyRouteComponent } from '@tanstack/react-router';
import { untilReachable } from '../api/reachability.js';

/**
 * A page, a dialog or a chart that is loaded when it is first shown, or before by its `preload`. The router loads the
 * whole dashboard anew when a file cannot be had, since a newer build may have taken its place; while the service is
 * away, that would leave nothing on the screen.
 */
export const lazyComponent: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async () => {
        await untilReachable();
        return load();
      }),
    name,
  );
