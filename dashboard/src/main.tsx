import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import './palette.css';
import './main.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './query-client.js';
import { requireSession } from './route-guards.js';
import { router } from './router.js';
import { session } from './session/session.js';
import { theme } from './theme.js';

/** The nonce that the Content-Security-Policy requires on `<style>` elements. */
function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// react-remove-scroll, which disables scrolling below dialogs with a `<style>` element, reads its nonce here.
Object.assign(globalThis, { __webpack_nonce__: readStyleNonce() });

// Registered before any dialog. Otherwise Escape would close a dialog below the sign-in dialog and discard its input.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape' && session.status.get() === 'ended') event.stopImmediatePropagation();
  },
  { capture: true },
);

/** Downloads the components of the page while the session is being renewed. */
function downloadPage(): void {
  const [matchedRoutes] = router.getMatchedRoutes(window.location.pathname);
  for (const route of matchedRoutes) void router.loadRouteChunk(route);
}

/** Resolves to true once the layout can be rendered, even though its page is still being downloaded. */
async function hasLayout(): Promise<boolean> {
  if (!session.mayExist() || !/^\/(dashboard|$)/.test(window.location.pathname)) return false;
  downloadPage();
  try {
    await requireSession({ location: router.latestLocation });
    return true;
  } catch {
    // The router redirects or shows the error.
    return false;
  }
}

/** Renders the layout as soon as the session is renewed. Pages without it are rendered when they're loaded. */
async function start(root: HTMLElement): Promise<void> {
  if (!(await hasLayout())) await router.load();
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={readStyleNonce}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
if (root !== null) void start(root);
