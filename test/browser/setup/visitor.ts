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
export type VisitorOptions = Pick<BrowserContextOptions, 'colorScheme' | 'viewport' | 'deviceScaleFactor'>;

interface Credentials {
  email: string;
  /** By default the right one. */
  password?: string;
}

/** Somebody at the dashboard, with a browser profile of their own and a page that is open in it. */
export class Visitor {
  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly problems: Problems,
    private readonly service: TestApp,
  ) {}

  /** A visitor with an empty page, signed in nowhere. */
  static async arrive(browser: Browser, service: TestApp, options: VisitorOptions = {}): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: service.url,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
      ...options,
    });
    // Below the time limit of a test, so that what was waited for is told, and not only that time ran out.
    context.setDefaultTimeout(30_000);
    const problems = await Problems.watch(context);
    return new Visitor(context, await context.newPage(), problems, service);
  }

  /** Signs in at the front door. */
  async signIn(account: Credentials): Promise<void> {
    await this.page.goto('/sign-in');
    await this.fillInSignIn(account);
  }

  /** Signs in where the page asks for it. */
  async fillInSignIn({ email, password = rightPassword }: Credentials): Promise<void> {
    await this.page.getByLabel('Email address').fill(email);
    await this.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await this.page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** Gives the visitor a session of this member, as if they had signed in before; the next page finds it. */
  async signInAs(member: Pick<Member, 'userId' | 'organizationId'>): Promise<void> {
    const { refreshToken } = await openSession(this.service, member);
    const { hostname } = new URL(this.service.url);
    const common = { domain: hostname, sameSite: 'Strict' } as const;
    await this.context.addCookies([
      { ...common, name: refreshCookie.name, value: refreshToken, path: refreshCookie.path, httpOnly: true },
      { ...common, name: sessionMarkName, value: 'yes', path: '/' },
    ]);
  }

  /** Shows a page to a member, and waits for its heading. */
  async visit(member: Pick<Member, 'userId' | 'organizationId'>, path: string): Promise<void> {
    await this.signInAs(member);
    await this.page.goto(path);
    await this.page.getByRole('heading', { level: 1 }).waitFor();
  }

  /**
   * Closes all pages, and forgets the session. Of a page that is just being loaded anew, Chromium may never say that it
   * is closed; then it ends with the browser.
   */
  async leave(): Promise<void> {
    await Promise.race([this.context.close(), delay(closingMilliseconds, undefined, { ref: false })]);
  }
}
