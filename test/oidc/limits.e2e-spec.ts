import { RateLimitsService } from '../../src/auth/limits/rate-limits.service.js';
import { createMember } from '../factories/organizations.js';
import { Browser } from './browser.js';
import { callbackPath, type Person } from './test-provider.js';
import { useSingleSignOn } from '../setup/single-sign-on.js';

let person: Person;

const { provider, service } = useSingleSignOn();
beforeAll(async () => {
  person = provider.meet();
  await createMember(service, { email: person.email });
});

const limits = () => service.app.get(RateLimitsService);
/** Counts this many unfinished sign-ins. */
const fill = (count: number) =>
  Promise.all(Array.from({ length: count }, () => limits().spend('single sign-on by address', '127.0.0.1')));
beforeEach(() => limits().forget('single sign-on by address', '127.0.0.1'));

const isCallback = (url: string) => url.startsWith(service.url + callbackPath);
const signedIn = () => `${service.url}/`;
const tooMany = () => `${service.url}/sign-in?error=too-many-requests`;

function visitProvider(browser: Browser, visitor: Person | undefined): Promise<string> {
  provider.visitor = visitor;
  return browser.follow(`${service.url}/auth/oidc/start`, isCallback);
}

async function signIn(visitor: Person | undefined): Promise<string> {
  const browser = new Browser();
  return browser.step(await visitProvider(browser, visitor));
}

describe('The single sign-on limit per IP address', () => {
  it('should apply to starts', async () => {
    await fill(200);
    expect(await new Browser().step(`${service.url}/auth/oidc/start`)).toBe(tooMany());
  });

  it('should apply to callbacks, which then open no session', async () => {
    const browser = new Browser();
    const url = await visitProvider(browser, person);
    await fill(199);
    expect(await browser.step(url)).toBe(tooMany());
    expect(browser.cookie(service.url, 'keycard_refresh')).toBeUndefined();
  });

  it('should not count completed sign-ins', async () => {
    await fill(198);
    for (let time = 0; time < 4; time++) expect(await signIn(person)).toBe(signedIn());
  });

  it('should count sign-ins that are not completed', async () => {
    await fill(197);
    expect(await signIn(undefined)).toBe(`${service.url}/sign-in?error=access-denied`);
    expect(await signIn(person)).toBe(tooMany());
  });
});
