import type { Browser } from 'playwright-core';
import { startAppWithDashboard } from '../../setup/built-dashboard.js';
import type { TestApp, TestAppOptions } from '../../setup/test-app.js';
import { explainFailure } from './explain-failure.js';
import './locator-matchers.js';
import { borrowBrowser, returnBrowser } from './shared-browser.js';
import { Visitor, type VisitorOptions } from './visitor.js';

/** The service with the built dashboard, and a browser. */
export class Dashboard {
  private browser: Browser | undefined;
  private app: TestApp | undefined;
  private readonly visitors: Visitor[] = [];

  get service(): TestApp {
    return started(this.app);
  }

  /** Opens a page in a browser profile of its own. It's closed after the test. */
  async newVisitor(options?: VisitorOptions): Promise<Visitor> {
    const visitor = await Visitor.open(started(this.browser), this.service, options);
    this.visitors.push(visitor);
    return visitor;
  }

  /**
   * Wraps a test that needs a visitor: `it('should …', dashboard.test(async ({ page }) => { … }))`. The test also fails
   * if a page logs an error, throws, misses a file, violates its Content-Security-Policy, contacts another host or has a
   * field without `maxLength`.
   */
  test<Row extends unknown[]>(
    body: (visitor: Visitor, ...row: Row) => Promise<void>,
    options?: VisitorOptions,
  ): (...row: Row) => Promise<void> {
    return async (...row) => {
      try {
        await body(await this.newVisitor(options), ...row);
        const problems = this.visitors.flatMap((visitor) => visitor.problems.list());
        if (problems.length > 0) throw new Error('The page has unexpected problems.');
      } catch (error) {
        throw await explainFailure(error, this.visitors);
      } finally {
        await Promise.all(this.visitors.splice(0).map((visitor) => visitor.close()));
      }
    };
  }

  async start(options?: TestAppOptions): Promise<void> {
    this.browser = await borrowBrowser();
    this.app = await startAppWithDashboard(options);
  }

  async stop(): Promise<void> {
    if (this.browser !== undefined) returnBrowser();
    await this.app?.stop();
    this.browser = this.app = undefined;
  }
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The dashboard is only available in tests and hooks.');
  return part;
}

/** Starts the dashboard before the tests of the current file or block and stops it after them. */
export function openDashboard(options?: TestAppOptions): Dashboard {
  const dashboard = new Dashboard();
  beforeAll(() => dashboard.start(options));
  afterAll(() => dashboard.stop());
  return dashboard;
}
