import '@fontsource-variable/inter';
import '@mantine/core/styles.css';
import './main.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './query-client.js';
import { router } from './router.js';
import { theme } from './theme.js';

/** What the Content-Security-Policy of this page asks `<style>` elements to carry. */
function readStyleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
}

// Open dialogs keep the page from scrolling by a `<style>` element, whose maker looks here for what it is to carry.
Object.assign(globalThis, { __webpack_nonce__: readStyleNonce() });

/** Shows the page that the address names, once it is known and loaded. */
async function start(root: HTMLElement): Promise<void> {
  await router.load();
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
