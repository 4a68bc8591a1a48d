import { existsSync } from 'node:fs';
import path from 'node:path';
import { startTestApp, type TestApp, type TestAppOptions } from './test-app.js';

/** The build output of the dashboard. */
export const dashboardFolder = path.resolve('dashboard/dist');

/**
 * Starts the app with the built dashboard.
 *
 * @throws Error naming the build command if the dashboard is not built
 */
export async function startAppWithDashboard({ config, ...options }: TestAppOptions = {}): Promise<TestApp> {
  if (!existsSync(path.join(dashboardFolder, 'index.html'))) {
    throw new Error('The dashboard is not built: run "npm run build:dashboard", or the tests by "npm test".');
  }
  return startTestApp({ ...options, config: { dashboardFolder, ...config } });
}
