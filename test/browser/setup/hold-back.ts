import type { Page } from 'playwright-core';

/** Holds back the requests of a path until `release` is called. `requested` resolves with the first. */
export async function holdBack(
  page: Page,
  path: string,
): Promise<{ release: () => void; requested: Promise<unknown> }> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const isHeld = (url: URL) => url.pathname === path;
  const requested = page.waitForRequest((request) => isHeld(new URL(request.url())));
  await page.route(isHeld, async (route) => {
    await released;
    await route.fallback();
  });
  return { release, requested };
}
