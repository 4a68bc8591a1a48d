import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { refreshCookie } from '../../../src/auth/sessions/refresh-cookie.js';
import { sessionMarkName } from '../../../src/common/rules/session-mark.js';
import { rightPassword } from '../../factories/accounts.js';
import { openSession, type Member } from '../../factories/organizations.js';
import type { TestApp } from '../../setup/test-app.js';
import { Problems } from './problems.js';

const closingMilliseconds = 10_000;

/** Such as `{ colorScheme: 'dark' }` or `{ viewport: { width: 360, height: 740 } }`. */
export type VisitorOptions = Pick<
  BrowserContextOptions,
  'colorScheme' | 'viewport' | 'deviceScaleFactor' | 'hasTouch' | 'isMobile' | 'locale'
>;

interface Credentials {
  email: string;
  /** Defaults to the correct one. */
  password?: string;
}

/** A user of the dashboard, with a separate browser profile and one open page. */
export class Visitor {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly problems: Problems,
    private readonly service: TestApp,
  ) {}

  /** Opens an empty page, signed out. */
  static async open(browser: Browser, service: TestApp, options: VisitorOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: service.url,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    // Shorter than the timeout of a test, so the error says what it waited for.
    context.setDefaultTimeout(60_000);
    const problems = await Problems.watch(context);
    return new Visitor(context, await context.newPage(), problems, service);
  }

  /** Signs in on the sign-in page. */
  async signIn(account: Credentials): Promise<void> {
    await this.page.goto('/sign-in');
    await this.fillInSignIn(account);
  }

  /** Fills in and submits the sign-in form on the current page. */
  async fillInSignIn({ email, password = rightPassword }: Credentials): Promise<void> {
    await this.page.getByLabel(/^Email/).fill(email);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Adds the cookies of a new session, as if the member had signed in before. The next page uses them. */
  async signInAs(member: Pick<Member, 'userId' | 'organizationId'>): Promise<void> {
    const { refreshToken } = await openSession(this.service, member);
    const { hostname } = new URL(this.service.url);
    const common = { domain: hostname, sameSite: 'Strict' } as const;
    await this.context.addCookies([
      { ...common, name: refreshCookie.name, value: refreshToken, path: refreshCookie.path, httpOnly: true },
      { ...common, name: sessionMarkName, value: 'yes', path: '/' },
    ]);
  }

  /** Opens a page as this member and waits for its heading. */
  async visit(member: Pick<Member, 'userId' | 'organizationId'>, path: string): Promise<void> {
    await this.signInAs(member);
    await this.page.goto(path);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /**
   * Closes the browser profile. If a page is reloading, Chromium may never confirm that it's closed; the page then closes
   * with the browser.
   */
  async close(): Promise<void> {
    await Promise.race([this.context.close(), delay(closingMilliseconds, undefined, { ref: false })]);
  }
}
