import type { OidcConfig } from '../../src/config/read-config.js';
import type { CreatedInvitationDto } from '../../src/organizations/invitations/dto/invitation.dto.js';
import { Browser } from '../oidc/browser.js';
import { oidcSettings } from '../oidc/oidc-settings.js';
import { callbackPath, type Person, TestProvider } from '../oidc/test-provider.js';
import type { Answer } from './call.js';
import { startTestApp, type TestApp } from './test-app.js';

/** A service that signs people in through a real provider. */
export interface SingleSignOn {
  provider: TestProvider;
  service: TestApp;
  /** Signs the person in, and returns the page that the browser ends at. */
  signIn: (person: Person, browser?: Browser) => Promise<string>;
  /** Accepts an invitation through the provider, and returns the page that the browser ends at. */
  acceptInvitation: (token: string, person: Person, browser?: Browser) => Promise<string>;
  stop: () => Promise<void>;
}

/** Starts both; the caller stops them. */
export async function startSingleSignOn(settings: Partial<OidcConfig> = {}): Promise<SingleSignOn> {
  const provider = new TestProvider();
  await provider.start();
  const service = await startTestApp({ config: { oidc: { ...oidcSettings(provider), ...settings } } });
  provider.registerClient(service.url);
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
    stop: async () => {
      await service.stop();
      await provider.stop();
    },
  };
}

/** The token in the link of a created invitation. */
export function invitationTokenOf({ body }: Answer): string {
  return (body as CreatedInvitationDto).link.split('#token=')[1] ?? '';
}
