import { type Browser, chromium } from 'playwright-core';
import { type Chromium, findChromium } from './find-chromium.js';

/** Launches Chromium, headless unless `HEADED` is set. */
export async function launchBrowser(found?: Chromium): Promise<Browser> {
  const { executablePath, environment } = found ?? (await findChromium());
  const isHeaded = Boolean(process.env['HEADED']);
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...environment },
    headless: !isHeaded,
    slowMo: isHeaded ? 200 : 0,
    // Containers have little shared memory. Host names other than the local ones never resolve.
    args: ['--disable-dev-shm-usage', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1'],
  });
}
