import type { Browser } from 'playwright-core';
import { startAppWithDashboard } from '../../setup/built-dashboard.js';
import type { TestApp, TestAppOptions } from '../../setup/test-app.js';
import { explainFailure } from './explain-failure.js';
import { launchBrowser } from './launch-browser.js';
import { Visitor, type VisitorOptions } from './visitor.js';

/** The service with the built dashboard, and a browser to look at it. */
export class Dashboard {
  private browser: Browser | undefined;
  private app: TestApp | undefined;
  private readonly visitors: Visitor[] = [];

  get service(): TestApp {
    return started(this.app);
  }

  /** One more visitor, for the rest of the test. */
  async newVisitor(options?: VisitorOptions): Promise<Visitor> {
    const visitor = await Visitor.arrive(started(this.browser), this.service, options);
    this.visitors.push(visitor);
    return visitor;
  }

  /**
   * A test with a visitor: `it('should …', dashboard.test(async ({ page }) => { … }))`. It also fails when a page logs
   * an error, throws, lacks a file, violates its Content-Security-Policy or asks another host.
   */
  test<Row extends unknown[]>(
    body: (visitor: Visitor, ...row: Row) => Promise<void>,
    options?: VisitorOptions,
  ): (...row: Row) => Promise<void> {
    return async (...row) => {
      try {
        await body(await this.newVisitor(options), ...row);
        const problems = this.visitors.flatMap((visitor) => visitor.problems.list());
        if (problems.length > 0) throw new Error('The page has problems that the test does not expect.');
      } catch (error) {
        throw await explainFailure(error, this.visitors);
      } finally {
        await Promise.all(this.visitors.splice(0).map((visitor) => visitor.leave()));
      }
    };
  }

  async start(options?: TestAppOptions): Promise<void> {
    this.browser = await launchBrowser();
    this.app = await startAppWithDashboard(options);
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.app?.stop();
  }
}

function started<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('The dashboard runs while tests and hooks do.');
  return part;
}

/** Starts the dashboard before the tests of the file or block that this is called in, and stops it after them. */
export function openDashboard(options?: TestAppOptions): Dashboard {
  const dashboard = new Dashboard();
  beforeAll(() => dashboard.start(options));
  afterAll(() => dashboard.stop());
  return dashboard;
}
