import type { OidcConfig } from '../../src/config/read-config.js';
import type { ServiceConfig } from '../../src/config/service-config.js';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { Browser } from '../oidc/browser.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { callbackPath, type Person, TestProvider } from '../oidc/test-provider.js';
import type { CallResponse } from './call.js';
import type { TestApp } from './test-app.js';
import { useTestApp } from './use-test-app.js';

/** An app that signs people in through a real provider. */
export interface SingleSignOn {
  provider: TestProvider;
  service: TestApp;
  /** Signs the person in and returns the page the browser ends on. */
  signIn: (person: Person, browser?: Browser) => Promise<string>;
  /** Accepts an invitation through the provider and returns the page the browser ends on. */
  acceptInvitation: (token: string, person: Person, browser?: Browser) => Promise<string>;
}

/** Starts a provider and an app before the tests of this file or `describe` block and stops them after them. */
export function useSingleSignOn(settings: Partial<OidcConfig> = {}, config: Partial<ServiceConfig> = {}): SingleSignOn {
  const provider = new TestProvider();
  const service = useTestApp(async () => {
    await provider.start();
    return { config: { ...config, oidc: { ...oidcSettings(provider), ...settings } } };
  });
  beforeAll(() => provider.registerClient(service.url));
  afterAll(() => provider.stop());
  const visit = async (person: Person, start: string, browser: Browser) => {
    provider.visitor = person;
    const isCallback = (url: string) => url.startsWith(service.url + callbackPath);
    return browser.step(await browser.follow(start, isCallback));
  };
  return {
    provider,
    service,
    signIn: (person, browser = new Browser()) => visit(person, `${service.url}/auth/oidc/start`, browser),
    acceptInvitation: async (token, person, browser = new Browser()) => {
      const response = await browser.post(`${service.url}/auth/oidc/start-invitation`, { token });
      const { url } = (await response.json()) as { url: string };
      return visit(person, url, browser);
    },
  };
}

/** Returns the token in a created invitation's link. */
export function invitationTokenOf({ body }: CallResponse): string {
  return (body as CreatedInvitationDto).link.split('#token=')[1] ?? '';
}
