import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';
import { v7 as uuidv7 } from 'uuid';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import type { Browser } from './browser.js';
import { createAdapterFactory } from './test-adapter.js';

/** A person at the provider. All properties except `sub` are claims. */
export interface Person {
  sub: string;
  email: string;
  [claim: string]: unknown;
}

export const client = { id: 'keycard', secret: 'the-secret-of-the-client' };
export const audience = 'https://keycard.test/management';
export const callbackPath = '/auth/oidc/callback';

/** A real OpenID provider on loopback that signs people in without interaction. */
export class TestProvider {
  /** Private keys. The first one signs, all are published. */
  keys: JWK[] = [];
  /** The person who signs in next. If undefined, the provider denies access. */
  visitor: Person | undefined;
  issuer = '';
  /** Replaces the responses at these paths, such as `/jwks`. */
  readonly faults = new Map<string, RequestListener>();
  /** Paths of received requests. */
  readonly requests: string[] = [];
  private readonly people = new Map<string, Person>();
  private readonly redirectUris = ['https://keycard.test/auth/oidc/callback'];
  private hasCompleteIdTokens = false;
  private logoutUri: string | undefined;
  private server: Server | undefined;
  private port: number | undefined;
  private provider: Provider;
  private handle: RequestListener;

  /** Starts on a free port, or on the previous one. */
  async start(): Promise<void> {
    this.server = createServer((request, response) => this.receive(request, response));
    this.port = await listenOnLastingPort(this.server, this.port);
    this.issuer = `http://127.0.0.1:${this.port}`;
    if (this.keys.length === 0) await this.rotateKeys('RS256');
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    if (server === undefined) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  /** Registers this service as a client. */
  registerClient(url: string): void {
    this.redirectUris.push(url + callbackPath);
    this.logoutUri = `${url}/auth/oidc/backchannel-logout`;
    this.reconfigure();
  }

  /** Replaces all keys with a new one. */
  async rotateKeys(algorithm: string): Promise<void> {
    const { privateKey } = await generateKeyPair(algorithm, { extractable: true });
    this.keys = [{ ...(await exportJWK(privateKey)), kid: uuidv7(), alg: algorithm, use: 'sig' }];
    this.reconfigure();
  }

  /** Creates a person with a verified email and these claims. */
  meet(claims: object = {}): Person {
    const sub = uuidv7();
    const person = { sub, email: `${sub}@example.com`, email_verified: true, name: 'Ada', ...claims };
    this.people.set(sub, person);
    return person;
  }

  /** Returns an access token for the audience, issued by oidc-provider. */
  async issueAccessToken({ sub }: Person): Promise<string> {
    const token = new this.provider.AccessToken({
      accountId: sub,
      client: await this.findClient(),
      grantId: uuidv7(),
      gty: 'authorization_code',
      scope: 'openid',
    });
    token.resourceServer = new this.provider.ResourceServer(audience, resourceServer(this.algorithm));
    return token.save();
  }

  /** Returns an ID token for the client, issued by oidc-provider. */
  async issueIdToken(person: Person): Promise<string> {
    const token = new this.provider.IdToken({ ...person }, { client: await this.findClient() });
    return token.issue({ use: 'idtoken' });
  }

  /** Signs a token with arbitrary claims. */
  async sign(claims: JWTPayload, header: { kid?: string; typ?: string | undefined } = {}): Promise<string> {
    const [key = {}] = this.keys;
    const now = Math.floor(new Date().getTime() / 1000);
    return new SignJWT({ iss: this.issuer, aud: audience, iat: now, exp: now + 60, ...claims })
      .setProtectedHeader({ alg: this.algorithm, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(await importJWK(key, this.algorithm));
  }

  get algorithm(): string {
    return this.keys[0]?.alg ?? 'RS256';
  }

  /** Signs this browser out at the provider and waits until the client was notified. */
  async signOut(browser: Browser): Promise<void> {
    const form = await (await browser.get(`${this.issuer}/session/end`)).text();
    const xsrf = /name="xsrf" value="(\w+)"/.exec(form)?.[1] ?? '';
    const failures: unknown[] = [];
    this.provider.once('backchannel.error', (_context, error) => failures.push(error));
    const { status } = await browser.postForm(`${this.issuer}/session/end/confirm`, { xsrf, logout: 'yes' });
    if (status !== 303 || failures.length > 0) throw new Error(`Signing out failed with ${status}: ${failures.join()}`);
  }

  /** Puts all claims into ID tokens, or only `sub`, with the others in userinfo. */
  putClaimsIntoIdTokens(isOn: boolean): void {
    this.hasCompleteIdTokens = isOn;
    this.reconfigure();
  }

  private async findClient() {
    const registered = await this.provider.Client.find(client.id);
    if (registered === undefined) throw new Error('The client is not registered.');
    return registered;
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const [path = ''] = (request.url ?? '').split('?');
    this.requests.push(path);
    (this.faults.get(path) ?? this.handle)(request, response);
  }

  private reconfigure(): void {
    this.provider = new Provider(this.issuer, this.configuration());
    const handle = this.provider.callback();
    this.handle = (request, response) => {
      if (request.url?.startsWith('/interaction/') === true) void this.interact(request, response);
      else void handle(request, response);
    };
  }

  private configuration(): Configuration {
    const { algorithm, people } = this;
    const registration = {
      client_id: client.id,
      client_secret: client.secret,
      redirect_uris: this.redirectUris,
      id_token_signed_response_alg: algorithm as 'RS256',
      ...(this.logoutUri !== undefined && {
        backchannel_logout_uri: this.logoutUri,
        backchannel_logout_session_required: true,
      }),
    };
    return {
      adapter: createAdapterFactory(),
      clients: [registration],
      // oidc-provider's own dispatcher rejects loopback.
      fetch: (input, { method, headers, body } = {}) => fetch(input, { method, headers, body }),
      jwks: { keys: this.keys },
      cookies: { keys: ['a key of the tests'] },
      conformIdTokenClaims: !this.hasCompleteIdTokens,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles', 'organization'] },
      enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256', 'EdDSA', 'Ed25519'] },
      features: {
        devInteractions: { enabled: false },
        backchannelLogout: { enabled: true },
        resourceIndicators: { enabled: true, getResourceServerInfo: () => resourceServer(algorithm) },
      },
      findAccount: (_context, sub) => {
        const person = people.get(sub);
        return person && { accountId: sub, claims: () => person };
      },
      extraTokenClaims: (_context, token) => {
        const sub = 'accountId' in token ? String(token.accountId) : '';
        return { ...people.get(sub), sub: undefined };
      },
      interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    };
  }

  /** Signs the visitor in and consents, as a person would. */
  private async interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { provider, visitor } = this;
    if (visitor === undefined) return provider.interactionFinished(request, response, { error: 'access_denied' });
    const { params, prompt } = await provider.interactionDetails(request, response);
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, { login: { accountId: visitor.sub } });
    }
    const grant = new provider.Grant({ accountId: visitor.sub, clientId: String(params['client_id']) });
    grant.addOIDCScope('openid profile email');
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  }
}

function resourceServer(algorithm: string) {
  return {
    scope: 'openid',
    audience,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: algorithm as 'RS256' } },
  };
}
