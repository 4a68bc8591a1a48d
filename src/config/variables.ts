import { isIP } from 'node:net';
import { parseJwtSecrets } from './jwt-secret.js';
import { isEmailAddress } from '../common/validation/email-address.js';
import { isNewPassword } from '../common/validation/text-rules.js';

/** One environment variable: how it is read, and what docs/configuration.md and .env.example say of it. */
interface Variable<Value> {
  /** What it does, in one sentence. */
  description: string;
  /** The value as text when the variable is unset; undefined when unset means something of its own. */
  default?: string;
  /** Completes the sentence "NAME must be …". */
  allowed: string;
  /** The value, or undefined when the text is not allowed. */
  parse: (text: string) => Value | undefined;
}

const wholeNumber = (lowest: number, highest: number) => (text: string) => {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
  return value >= lowest && value <= highest ? value : undefined;
};

const oneOf =
  <Choice extends string>(...choices: Choice[]) =>
  (text: string) =>
    choices.find((choice) => choice === text);

const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);

const list = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');

function postgresUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  return /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}

function trustedProxies(text: string): boolean | number | string[] | undefined {
  if (text === 'true' || text === 'false') return text === 'true';
  const hops = wholeNumber(1, 100)(text);
  if (hops !== undefined) return hops;
  const addresses = list(text);
  const valid = addresses.every((address) => isIP(address.replace(/\/\d{1,3}$/, '')) !== 0);
  return valid && addresses.length > 0 ? addresses : undefined;
}

/** Plain HTTP is for a provider on this machine, as in tests and first trials. */
function issuerUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isLoopback = hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
  const isProtected = protocol === 'https:' || (protocol === 'http:' && isLoopback);
  return isProtected && [search, hash, username, password].every((part) => part === '') ? text : undefined;
}

function origins(text: string): string[] | undefined {
  const items = list(text);
  return items.every((item) => URL.canParse(item) && new URL(item).origin === item) ? items : undefined;
}

function onOrOff(text: string): boolean | undefined {
  return text === 'on' || text === 'off' ? text === 'on' : undefined;
}

/** Names as those of Tesseract's data: `eng`, `chi_sim`. */
function languages(text: string): string[] | undefined {
  const items = list(text);
  const valid = items.length > 0 && items.every((item) => /^[A-Za-z]{3,20}(_[A-Za-z]{2,20}){0,2}$/.test(item));
  return valid && new Set(items).size === items.length ? items : undefined;
}

function origin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin } = new URL(text);
  return /^https?:$/.test(protocol) && origin === text ? text : undefined;
}

const define = <Value>(variable: Variable<Value>) => variable;

/** Every environment variable that Keycard reads. */
export const variables = {
  HOST: define({
    description: 'IP address to listen on; `0.0.0.0` for all of them.',
    default: '127.0.0.1',
    allowed: 'an IP address or a host name',
    parse: matching(/^[\w.:-]+$/),
  }),
  PORT: define({
    description: 'Port to listen on; `0` picks a free one.',
    default: '3000',
    allowed: 'a whole number from 0 to 65535',
    parse: wholeNumber(0, 65_535),
  }),
  DATA_DIR: define({
    description: 'Folder of the embedded database and of generated secrets.',
    default: '.keycard',
    allowed: 'a path',
    parse: matching(/^[^\0]+$/),
  }),
  DATABASE_URL: define({
    description: 'PostgreSQL (15 or later) to use; unset: the embedded one, in `DATA_DIR`.',
    allowed: 'a URL like postgresql://user:password@host:5432/database',
    parse: postgresUrl,
  }),
  JWT_SECRET: define({
    description:
      'Signs the access tokens of signed-in users; the same on every replica. With two secrets, the first signs and both verify; see [rotation](security.md#rotating-jwt_secret). Unset with the embedded database: generated once and kept in `DATA_DIR`. Required with `DATABASE_URL`.',
    allowed: 'at least 32 bytes long, or two such secrets separated by a comma',
    parse: parseJwtSecrets,
  }),
  JWT_TTL_SECONDS: define({
    description: 'Lifetime of the access token of a signed-in user, in seconds.',
    default: '900',
    allowed: 'a whole number from 60 to 86400',
    parse: wholeNumber(60, 86_400),
  }),
  ADMIN_EMAIL: define({
    description: 'Email of the administrator that the first start creates.',
    default: 'admin@keycard.local',
    allowed: 'an email address of at most 254 characters',
    parse: (text) => (isEmailAddress(text) ? text : undefined),
  }),
  ADMIN_PASSWORD: define({
    description: 'Password of that administrator; unset: generated and shown once, only on a terminal.',
    allowed: '12 to 256 characters long, without control characters',
    parse: (text) => (isNewPassword(text) ? text : undefined),
  }),
  LOG_LEVEL: define({
    description: 'Lowest level that is logged.',
    default: 'info',
    allowed: 'one of fatal, error, warn, info, debug, trace, silent',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
  DRAIN_SECONDS: define({
    description:
      'How long Keycard accepts requests after SIGTERM while `/health/ready` is 503, in seconds; longer than the load balancer takes to notice.',
    default: '5',
    allowed: 'a whole number from 0 to 300',
    parse: wholeNumber(0, 300),
  }),
  STOP_SECONDS: define({
    description: 'How long requests in flight may take after that before they are cut off, in seconds.',
    default: '30',
    allowed: 'a whole number from 0 to 3600',
    parse: wholeNumber(0, 3600),
  }),
  TRUST_PROXY: define({
    description:
      'Proxies whose `X-Forwarded-*` headers are trusted: none, all, that number of hops, or these addresses.',
    default: 'false',
    allowed: 'true, false, a number of hops, or a comma-separated list of IP addresses and CIDR ranges',
    parse: trustedProxies,
  }),
  PUBLIC_URL: define({
    description:
      'The URL at which people reach Keycard, for links and the redirect URI of single sign-on. Unset: the URL of the request.',
    allowed: 'an origin like https://keycard.example.com',
    parse: origin,
  }),
  MODELS_FILE: define({
    description:
      'YAML file that defines the models; see [models.md](models.md). Unset: the embedded models are served.',
    allowed: 'a path',
    parse: matching(/^[^\0]+$/),
  }),
  CORS_ORIGINS: define({
    description: 'Origins that may call the API from a browser; empty: none.',
    default: '',
    allowed: 'a comma-separated list of origins like https://app.example.com',
    parse: origins,
  }),
  MAX_CONNECTIONS: define({
    description:
      'Client connections at the same time; further ones are closed immediately. Stay below the open-file limit of the process.',
    default: '10000',
    allowed: 'a whole number from 1 to 1000000',
    parse: wholeNumber(1, 1_000_000),
  }),
  DOCUMENT_FETCH: define({
    description: 'Whether `/v1/ocr` fetches documents by URL; `off`: they must be sent in the request.',
    default: 'on',
    allowed: 'on or off',
    parse: onOrOff,
  }),
  OCR_LANGUAGES: define({
    description:
      'Languages that the embedded OCR reads, the most frequent first. Each takes more time. Languages other than `eng`, `deu` and `fra` need a package: `npm install @tesseract.js-data/spa`.',
    default: 'eng',
    allowed: 'a comma-separated list of different language codes like eng,deu',
    parse: languages,
  }),
  OCR_WORKER_MEMORY_MB: define({
    description:
      'Memory limit of each OCR worker, in megabytes. A worker that exceeds it is stopped, and the page it reads fails.',
    default: '1024',
    allowed: 'a whole number from 384 to 65536',
    parse: wholeNumber(384, 65_536),
  }),
  PASSWORD_SIGN_IN: define({
    description:
      'Whether people can sign in with a password; `off` leaves only single sign-on, and needs `OIDC_ISSUER`.',
    default: 'on',
    allowed: 'on or off',
    parse: oneOf('on', 'off'),
  }),
  OIDC_ISSUER: define({
    description: 'OpenID provider for single sign-on, equal to `iss` in its tokens; unset: no single sign-on.',
    allowed: 'an https URL without query and fragment (http on loopback only)',
    parse: issuerUrl,
  }),
  OIDC_CLIENT_ID: define({
    description: 'Client ID registered with the provider for signing in to the dashboard.',
    allowed: '1 to 255 printable ASCII characters',
    parse: matching(/^[\x20-\x7e]{1,255}$/),
  }),
  OIDC_CLIENT_SECRET: define({
    description: 'Secret of that client; unset: a public client, protected by PKCE only.',
    allowed: '1 to 1024 printable ASCII characters',
    parse: matching(/^[\x20-\x7e]{1,1024}$/),
  }),
  OIDC_SCOPES: define({
    description: 'Scopes that the dashboard requests; some providers send roles only with a scope of their own.',
    default: 'openid profile email',
    allowed: 'a list of scopes with a space between them, openid among them',
    parse: matching(/^(?=(.* )?openid( |$))[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/),
  }),
  OIDC_USERINFO: define({
    description:
      'Whether claims that a token lacks are requested from the userinfo endpoint. `off` if the endpoint rejects your tokens: these must then carry all claims themselves.',
    default: 'on',
    allowed: 'on or off',
    parse: oneOf('on', 'off'),
  }),
  OIDC_AUDIENCE: define({
    description:
      "Required `aud` of the provider's access tokens on management routes; unset: only Keycard's own tokens are accepted.",
    allowed: '1 to 255 printable ASCII characters',
    parse: matching(/^[\x20-\x7e]{1,255}$/),
  }),
  OIDC_ORGANIZATION_CLAIM: define({
    description: 'Claim with the organization id; dots separate nested fields.',
    default: 'organization',
    allowed: 'the name of a claim, 1 to 255 characters long',
    parse: matching(/^\S{1,255}$/),
  }),
  OIDC_ROLES_CLAIM: define({
    description: 'Claim with the names of roles in the organization; dots separate nested fields.',
    default: 'roles',
    allowed: 'the name of a claim, 1 to 255 characters long',
    parse: matching(/^\S{1,255}$/),
  }),
  OIDC_SESSION_HOURS: define({
    description: 'Maximum duration of a session opened by single sign-on, in hours.',
    default: '12',
    allowed: 'a whole number from 1 to 2160',
    parse: wholeNumber(1, 2160),
  }),
  OIDC_DEFAULT_ROLE: define({
    description: 'Role of people for whom the provider names no existing role; unset: they are refused.',
    allowed: 'the name of a role, 1 to 100 characters long',
    parse: matching(/^.{1,100}$/u),
  }),
  OIDC_MISSING_ROLES: define({
    description:
      'Effect of a missing roles claim on members managed by the provider: `keep` leaves their roles, `remove` treats it as a claim without roles.',
    default: 'keep',
    allowed: 'keep or remove',
    parse: oneOf('keep', 'remove'),
  }),
};

export type VariableName = keyof typeof variables;
export type VariableValue<Name extends VariableName> = NonNullable<ReturnType<(typeof variables)[Name]['parse']>>;
