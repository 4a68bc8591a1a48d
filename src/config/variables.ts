import { z } from 'zod';
import { isEmailAddress } from '../common/rules/email-address.js';
import { isNewPassword } from '../common/rules/text-rules.js';
import {
  issuerUrl,
  jwtSecrets,
  languages,
  matching,
  oneOf,
  onOrOff,
  origin,
  origins,
  path,
  postgresUrl,
  text,
  trustedProxies,
  type VariableType,
  wholeNumber,
} from './variable-types.js';

/** What docs/configuration.md, .env.example and error messages say about a variable. */
interface Documentation {
  /** What it does, in one or two sentences of Markdown. */
  description: string;
  /** Completes the sentence "NAME must be …". */
  allowed: string;
  /** The value as text if the variable is unset; undefined if unset has a meaning of its own. */
  default?: string;
}

/** The documentation of each schema in `variables`. */
export const documentation = z.registry<Documentation>();

function withDefault<Value>({ schema, allowed }: VariableType<Value>, fallback: string, description: string) {
  const variable = z.string().optional();
  const filled = variable.transform((value) => value || fallback).pipe(schema);
  return filled.register(documentation, { description, allowed, default: fallback });
}

function optional<Value>({ schema, allowed }: VariableType<Value>, description: string) {
  const variable = z.string().optional();
  const unlessEmpty = variable.transform((value) => value || undefined).pipe(schema.optional());
  return unlessEmpty.register(documentation, { description, allowed });
}

/** Every environment variable that Keycard reads. An empty one counts as unset, as `NAME=` does in a Compose file. */
export const variables = z.object({
  HOST: withDefault(
    matching(/^[\w.:-]+$/, 'an IP address or a host name'),
    '127.0.0.1',
    'IP address or host name to listen on; `0.0.0.0` for all IPv4 addresses.',
  ),
  PORT: withDefault(wholeNumber(0, 65_535), '3000', 'Port to listen on; `0` picks a free one.'),
  DATA_DIR: withDefault(path, '.keycard', 'Folder of the embedded database and of generated secrets.'),
  DATABASE_URL: optional(postgresUrl, 'PostgreSQL (15 or later) to use; unset: the embedded one, in `DATA_DIR`.'),
  JWT_SECRET: optional(
    jwtSecrets,
    'Signs the access tokens of signed-in users; the same on every replica. With two secrets, the first signs and both verify; see [rotation](security.md#rotating-jwt_secret). Unset with the embedded database: generated once and kept in `DATA_DIR`. Required with `DATABASE_URL`.',
  ),
  JWT_TTL_SECONDS: withDefault(
    wholeNumber(60, 86_400),
    '900',
    'Lifetime of the access token of a signed-in user, in seconds.',
  ),
  ADMIN_EMAIL: withDefault(
    text('an email address of at most 254 characters', isEmailAddress),
    'admin@keycard.local',
    'Email of the administrator that the first start creates.',
  ),
  ADMIN_PASSWORD: optional(
    text('12 to 256 characters long, without control characters', isNewPassword),
    'Password of that administrator; unset: generated and shown once, only on a terminal.',
  ),
  LOG_LEVEL: withDefault(
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'info',
    'Lowest level that is logged.',
  ),
  DRAIN_SECONDS: withDefault(
    wholeNumber(0, 300),
    '5',
    'How long Keycard keeps accepting requests after SIGTERM while `/health/ready` returns 503, in seconds; longer than the load balancer takes to notice.',
  ),
  STOP_SECONDS: withDefault(
    wholeNumber(0, 3600),
    '30',
    'Time for requests in flight to finish after that, in seconds; then they are cut off.',
  ),
  TRUST_PROXY: withDefault(
    trustedProxies,
    'false',
    'Proxies whose `X-Forwarded-*` headers are trusted: none, all, that number of hops, or these IP addresses.',
  ),
  PUBLIC_URL: optional(
    origin,
    'URL where users reach Keycard, for links and the redirect URI of single sign-on. Unset: the URL of the request.',
  ),
  MODELS_FILE: optional(
    path,
    'YAML file that defines the models; see [models.md](models.md). Unset: the embedded models are served.',
  ),
  CORS_ORIGINS: withDefault(origins, '', 'Origins that may call the API from a browser; empty: none.'),
  MAX_CONNECTIONS: withDefault(
    wholeNumber(1, 1_000_000),
    '10000',
    'Maximum number of concurrent client connections; further ones are closed immediately. Stay below the open-file limit of the process.',
  ),
  DOCUMENT_FETCH: withDefault(
    onOrOff,
    'on',
    'Whether `/v1/ocr` fetches documents by URL; if `off`, they must be sent in the request.',
  ),
  OCR_LANGUAGES: withDefault(
    languages,
    'eng',
    'Languages that the embedded OCR reads, the most frequent first. Each one takes more time. Languages other than `eng`, `deu` and `fra` need a package: `npm install @tesseract.js-data/spa`.',
  ),
  OCR_WORKER_MEMORY_MB: withDefault(
    wholeNumber(384, 65_536),
    '1024',
    'Memory limit of each OCR worker, in megabytes. A worker that exceeds it is stopped, and its page fails.',
  ),
  PASSWORD_SIGN_IN: withDefault(
    onOrOff,
    'on',
    'Whether users can sign in with a password; `off` leaves only single sign-on, and needs `OIDC_ISSUER`.',
  ),
  OIDC_ISSUER: optional(
    issuerUrl,
    'Issuer of the OpenID provider, equal to `iss` in its tokens; unset: no single sign-on.',
  ),
  OIDC_CLIENT_ID: optional(
    matching(/^[\x20-\x7e]{1,255}$/, '1 to 255 printable ASCII characters'),
    'Client ID registered with the provider, for signing in to the dashboard.',
  ),
  OIDC_CLIENT_SECRET: optional(
    matching(/^[\x20-\x7e]{1,1024}$/, '1 to 1024 printable ASCII characters'),
    'Secret of that client; unset: a public client, protected by PKCE only.',
  ),
  OIDC_SCOPES: withDefault(
    matching(
      /^(?=(.* )?openid( |$))[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
      'a list of scopes with a space between them, openid among them',
    ),
    'openid profile email',
    'Scopes that the dashboard requests; some providers send roles only with an extra scope.',
  ),
  OIDC_USERINFO: withDefault(
    onOrOff,
    'on',
    'Whether claims missing from a token are requested from the userinfo endpoint. Set it to `off` if the endpoint rejects your tokens; they must then carry all claims themselves.',
  ),
  OIDC_AUDIENCE: optional(
    matching(/^[\x20-\x7e]{1,255}$/, '1 to 255 printable ASCII characters'),
    "Required `aud` of the provider's access tokens on management routes; unset: only Keycard's own tokens are accepted.",
  ),
  OIDC_ORGANIZATION_CLAIM: withDefault(
    matching(/^\S{1,255}$/, 'the name of a claim, 1 to 255 characters long'),
    'organization',
    'Claim with the organization id; dots separate nested fields.',
  ),
  OIDC_ROLES_CLAIM: withDefault(
    matching(/^\S{1,255}$/, 'the name of a claim, 1 to 255 characters long'),
    'roles',
    'Claim with the names of roles in the organization; dots separate nested fields.',
  ),
  OIDC_SESSION_HOURS: withDefault(
    wholeNumber(1, 2160),
    '12',
    'Maximum duration of a session opened by single sign-on, in hours.',
  ),
  OIDC_DEFAULT_ROLE: optional(
    matching(/^.{1,100}$/u, 'the name of a role, 1 to 100 characters long'),
    'Role for users without a known role at the provider; unset: they are rejected.',
  ),
  OIDC_MISSING_ROLES: withDefault(
    oneOf('keep', 'remove'),
    'keep',
    'Effect of a missing roles claim on members managed by the provider: `keep` leaves their roles, `remove` treats it as a claim without roles.',
  ),
});
