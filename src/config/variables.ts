import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isEmailAddress } from '../common/rules/email-address.js';
import { maxOcrLanguages } from '../common/rules/document-limits.js';
import { isNewPassword } from '../common/rules/text-rules.js';
import { text, wholeNumber } from '../common/validation/settings-schema.js';
import { parseAuditSigningKeys } from './audit-signing-keys.js';
import { parseJwtSecrets } from './jwt-secret.js';
import { parsePublicKeys, type PublicKeys } from './public-keys.js';

export const defaultPort = '3000';

export const defaultDataDir = '.keycard';

const matching = (pattern: RegExp, error: string) => text(error, (value) => pattern.test(value));
const printable = (maxLength: number) =>
  matching(new RegExp(`^[\\x20-\\x7e]{1,${maxLength}}$`), `must be 1 to ${maxLength} printable ASCII characters`);

const toNumber = (digits: string) => (/^\d{1,10}$/.test(digits) ? Number(digits) : NaN);
const number = (min: number, max: number) => z.string().transform(toNumber).pipe(wholeNumber(min, max));

const eitherOf = (yes: string, no: string) => z.stringbool({ truthy: [yes], falsy: [no], case: 'sensitive' });

/** Comma-separated; spaces around items are trimmed, and empty items are ignored. */
const list = (error: string, isAllowed: (items: string[]) => boolean) =>
  z
    .string()
    .transform((value) => value.split(',').map((item) => item.trim()))
    .transform((items) => items.filter((item) => item !== ''))
    .refine(isAllowed, { error });

function toHeader(pair: string): [name: string, value: string] {
  const separator = pair.indexOf('=');
  return [pair.slice(0, separator), decodeURIComponent(pair.slice(separator + 1))];
}

const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;

/** Plain HTTP is for a provider on this machine, as in tests and first trials. */
function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(value);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const isProtected = protocol === 'https:' || (protocol === 'http:' && isLoopback);
  return isProtected && [search, hash, username, password].every((part) => part === '');
}

/** Names of Tesseract's language data, such as `eng` and `chi_sim`. */
function areLanguages(names: string[]): boolean {
  const areNames = names.every((name) => /^[A-Za-z]{3,20}(_[A-Za-z]{2,20}){0,2}$/.test(name));
  const areDifferent = new Set(names).size === names.length && (names.length === 1 || !names.includes('auto'));
  return areNames && areDifferent && names.length > 0 && names.length <= maxOcrLanguages;
}

const host = matching(/^[\w.:-]+$/, 'must be an IP address or a host name');
const localPath = matching(/^[^\0]+$/, 'must be a path').transform((value) => path.resolve(value));
const email = text('must be an email address of at most 254 characters', isEmailAddress);
const newPassword = text('must be 12 to 256 characters long, without control characters', isNewPassword);
const workersError = 'must be auto or a whole number from 1 to 128';
const processors = z.literal('auto').transform(() => availableParallelism());
const workers = z.union([processors, number(1, 128)], { error: workersError });
const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']);
const onOrOff = eitherOf('on', 'off');
const issuer = text('must be an https URL without query and fragment (http on loopback only)', isIssuer);
const claimName = matching(/^\S{1,255}$/, 'must be the name of a claim, 1 to 255 characters long');
const roleName = matching(/^.{1,100}$/u, 'must be the name of a role, 1 to 100 characters long');
const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a URL like postgresql://user:password@host:5432/database',
});
const smtpUrl = text(
  'must be a URL like smtps://user:password@mail.example.com:465 or smtp://mail.example.com:587',
  (value) => URL.canParse(value) && /^smtps?:\/\/[^/]/.test(value),
);
const mailFrom = text('must be an email address, or a name and one like Keycard <keycard@example.com>', (value) =>
  isEmailAddress(/^[^<>"\\,;:@\p{Cc}]{1,100} <([^<>]+)>$/u.exec(value)?.[1] ?? value),
);
const publicUrl = text(
  'must be an origin like https://keycard.example.com',
  (value) => isOrigin(value) && /^https?:/.test(value),
);
const origins = list('must be a comma-separated list of origins like https://app.example.com', (items) =>
  items.every(isOrigin),
);
const collector = text(
  'must be an http or https URL like http://127.0.0.1:4318, without query and fragment',
  (value) => URL.canParse(value) && /^https?:/.test(value) && !/[?#]/.test(value),
);
const isHeader = (pair: string) => /^[\w-]+=([^%\s]|%[2-7][0-9a-f])*$/i.test(pair);
/** Like OpenTelemetry: `name=value,name=value`, with values percent-encoded. */
const headers = list(
  'must be a comma-separated list of headers like name=value, with percent-encoded values',
  (items) => items.every(isHeader),
).transform((items) => Object.fromEntries(items.map(toHeader)));
const scopes = matching(
  /^(?=(.* )?openid( |$))[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/,
  'must be a list of scopes separated by spaces, including openid',
);
const secretsError = 'must be at least 32 bytes long, or two such secrets separated by a comma';
const secrets = z.tuple([z.string()], z.string(), { error: secretsError });
const jwtSecrets = z.string().transform(parseJwtSecrets).pipe(secrets);
const auditKeysError =
  'must be an Ed25519 private key, in PEM or as 32 bytes in base64 or hex; previous keys may follow after commas';
const auditKeys = z
  .string()
  .transform(parseAuditSigningKeys)
  .pipe(z.tuple([z.string()], z.string(), { error: auditKeysError }));
/** Of BACKUP_SIGNING_KEY. */
export const minSigningKeyLength = 32;
const signingKey = matching(
  new RegExp(`^[\\x21-\\x7e]{${minSigningKeyLength},1024}$`),
  `must be ${minSigningKeyLength} to 1024 printable ASCII characters, without spaces`,
);
const publicKeysError = 'must be a JSON document with ECDSA public keys on P-256, or a file with one';
const publicKeys = z
  .string()
  .transform(parsePublicKeys)
  .refine((keys): keys is PublicKeys => keys !== undefined, { error: publicKeysError });
const proxiesError = 'must be true, false, a number of hops, or a comma-separated list of IP addresses and CIDR ranges';
const areAddresses = (items: string[]) => items.every((item) => isIP(item.replace(/\/\d{1,3}$/, '')) !== 0);
/** An IP address, or a range of them. */
function isNetwork(item: string): boolean {
  const [address = '', bits, ...others] = item.split('/');
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    others.length === 0 && maxBits > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits))
  );
}
const addresses = list(proxiesError, (items) => items.length > 0 && areAddresses(items));
const networks = list('must be a comma-separated list of IP addresses and CIDR ranges', (items) =>
  items.every(isNetwork),
);
const trustedProxies = z.union([eitherOf('true', 'false'), number(1, 100), addresses], { error: proxiesError });
const languages = list(
  'must be auto, or a comma-separated list of different language codes like eng,deu',
  areLanguages,
).transform((items) => (items[0] === 'auto' ? 'auto' : items));

/** A default is the text of a variable, parsed like any other. */
const { optional, prefault: withDefault } = z;

/** Every environment variable that Keycard reads, except those named in the models file; see `variableName`. */
export const variables = z.object({
  host: withDefault(host, '127.0.0.1').describe(
    'IP address or host name to listen on. `0.0.0.0` means all IPv4 addresses.',
  ),
  port: withDefault(number(0, 65_535), defaultPort).describe('Port to listen on. `0` picks a free one.'),
  metricsPort: optional(number(0, 65_535)).describe(
    'Port for [Prometheus metrics](metrics.md). If unset, metrics are off.',
  ),
  workers: withDefault(workers, '1').describe(
    'Number of processes that share the port. `auto` starts one for each processor. See [scaling.md](scaling.md#instances).',
  ),
  dataDir: withDefault(localPath, defaultDataDir).describe('Folder of the embedded database and of generated secrets.'),
  databaseUrl: optional(postgresUrl).describe(
    'URL of PostgreSQL 15 or later. If unset, Keycard uses the embedded one, in `DATA_DIR`.',
  ),
  primaryLeaseSeconds: optional(number(3, 300)).describe(
    'How long a primary is trusted after its last commit that a synchronous standby confirmed, in seconds. If unset, there is no limit. See [scaling.md](scaling.md#a-primary-that-was-cut-off).',
  ),
  jwtSecret: optional(jwtSecrets).describe(
    'Signs the access tokens of signed-in users. Must be the same on every replica. With two secrets, the first signs and both verify; see [rotation](security.md#rotating-jwt_secret). If unset with the embedded database, it is generated once and kept in `DATA_DIR`. Required with `DATABASE_URL`.',
  ),
  jwtTtlSeconds: withDefault(number(60, 86_400), '900').describe('Lifetime of access tokens, in seconds.'),
  adminEmail: withDefault(email, 'admin@keycard.local').describe('Email of the administrator created at first start.'),
  adminPassword: optional(newPassword).describe(
    'Password for that account. If unset, one is generated and shown on a terminal.',
  ),
  logLevel: withDefault(logLevel, 'info').describe('Lowest level that is logged.'),
  drainSeconds: withDefault(number(0, 300), '5').describe(
    'How long Keycard keeps accepting requests after SIGTERM while `/health/ready` returns 503, in seconds. Must be longer than the load balancer takes to notice.',
  ),
  stopSeconds: withDefault(number(0, 3600), '30').describe('Time to finish requests in flight after that, in seconds.'),
  backupSigningKey: optional(signingKey).describe(
    'Signs and checks [backups](backup.md#signing). Use at least 32 random characters. Only `npm run admin` reads it.',
  ),
  trustProxy: withDefault(trustedProxies, 'false').describe('Proxies whose `X-Forwarded-*` headers are trusted.'),
  publicUrl: optional(publicUrl).describe(
    "URL of Keycard in links and redirects. If unset, it's taken from the request.",
  ),
  smtpUrl: optional(smtpUrl).describe(
    'SMTP server that [mail](mail.md) is sent to, with its credentials. Needs `MAIL_FROM` and `PUBLIC_URL`. If unset, no mail is sent.',
  ),
  mailFrom: optional(mailFrom).describe('Sender of mail, such as `Keycard <keycard@example.com>`.'),
  modelsFile: optional(localPath).describe(
    'YAML file of the [models](models.md). If unset, the bundled models are served.',
  ),
  corsOrigins: withDefault(origins, '').describe('Origins that may call the API from a browser.'),
  maxConnections: withDefault(number(1, 1_000_000), '10000').describe(
    'Maximum number of concurrent client connections, below the open-file limit of the process. Additional connections are closed. Instances divide them.',
  ),
  limitWaitSeconds: withDefault(number(0, 30), '2').describe(
    'How long a request waits if its budget has room except for what [running requests reserve](limits-reference.md#reservations), in seconds.',
  ),
  creationLimitPerUser: withDefault(number(1, 1_000_000), '600').describe(
    'Maximum number of requests of one user to create something, in 15 minutes. Service accounts get ten times as many. See [automation.md](automation.md#rate-limits).',
  ),
  creationLimitPerOrganization: withDefault(number(1, 1_000_000), '1200').describe(
    'The same for all members of an organization together. All its service accounts together get ten times as many.',
  ),
  leakedKeysPublicKeys: optional(publicKeys).describe(
    "Public keys that [reports of leaked keys](leaked-keys.md#signed-reports) must be signed with, in the format of GitHub's secret scanning, or a file with them. If unset, reports need no signature.",
  ),
  documentFetch: withDefault(onOrOff, 'on').describe('Whether `/v1/ocr` fetches documents by URL.'),
  webhookAllowedNetworks: withDefault(networks, '').describe(
    'Private networks that [webhooks](webhooks.md#private-networks) may be in, such as `10.0.0.0/8,fd00::/8`, with `http` too. Others must have public IP addresses and use `https`.',
  ),
  embeddingsCacheMb: withDefault(number(0, 65_536), '0').describe(
    'Memory for vectors of texts embedded before, in megabytes. `0` keeps none. See [embeddings.md](embeddings.md#repeated-texts).',
  ),
  ocrLanguages: withDefault(languages, 'auto').describe(
    'Languages that the embedded OCR expects, the most frequent first. `auto` means all installed languages that can be detected. See [models.md](models.md#ocr-languages).',
  ),
  ocrDataDir: optional(localPath).describe(
    'Folder with more [language data](models.md#data-of-other-languages) for OCR, `*.traineddata`.',
  ),
  ocrWorkerMemoryMb: withDefault(number(384, 65_536), '1024').describe(
    'Memory limit of each OCR worker, in megabytes. A worker that exceeds it is stopped, and its page fails.',
  ),
  otel: z.object({
    exporterOtlpEndpoint: optional(collector).describe(
      'Base URL of an OpenTelemetry collector that receives [traces](tracing.md), such as `http://127.0.0.1:4318`. If unset, none are sent.',
    ),
    exporterOtlpHeaders: withDefault(headers, '').describe(
      'Headers for the collector, such as `authorization=Bearer%20secret`.',
    ),
    serviceName: withDefault(printable(255), 'keycard').describe('Name of the service in traces.'),
  }),
  usageRetentionDays: withDefault(number(35, 36_500), '400').describe(
    'How long [usage](usage.md#how-long-usage-is-kept) is kept, in days.',
  ),
  auditRetentionDays: optional(number(30, 36_500)).describe(
    'How long [audit events](audit.md#retention) are kept, in days. If unset, they are kept forever.',
  ),
  auditSigningKey: optional(auditKeys).describe(
    'Signs [checkpoints of the audit log](audit.md#signing-key): an Ed25519 private key, such as from `openssl rand -base64 32`. Must be the same on every replica. Previous keys may follow. If unset with the embedded database, it is generated once and kept in `DATA_DIR`; with `DATABASE_URL`, nothing is signed.',
  ),
  auditSinksFile: optional(localPath).describe(
    'YAML file of the [sinks](audit.md#send-events-elsewhere) that receive audit events.',
  ),
  organizationCreation: withDefault(z.enum(['owners', 'everyone', 'nobody']), 'owners').describe(
    'Accounts that may [create organizations](organizations.md#1-create-the-organization), which have no limits: `owners` hold every permission in at least one organization.',
  ),
  passwordSignIn: withDefault(onOrOff, 'on').describe('Password sign-in; `off` needs `OIDC_ISSUER`.'),
  oidc: z.object({
    issuer: optional(issuer).describe(
      'OpenID provider, exactly as `iss` in its tokens. If unset, single sign-on is off.',
    ),
    clientId: optional(printable(255)).describe('Client ID of the dashboard at the provider.'),
    clientSecret: optional(printable(1024)).describe('Secret of that client. If unset, only PKCE is used.'),
    scopes: withDefault(scopes, 'openid profile email').describe('Requested scopes. Roles may need an extra one.'),
    userinfo: withDefault(onOrOff, 'on').describe(
      'Whether claims missing from a token are requested from the userinfo endpoint. Set it to `off` if the endpoint rejects your tokens. They must then carry all claims themselves.',
    ),
    audience: optional(printable(255)).describe(
      "Required `aud` of the provider's access tokens on management routes. If unset, only Keycard's own tokens are accepted.",
    ),
    organizationClaim: withDefault(claimName, 'organization').describe(
      'Claim with the organization id. Use dots for nested fields.',
    ),
    rolesClaim: withDefault(claimName, 'roles').describe('Claim with role names. Use dots for nested fields.'),
    sessionHours: withDefault(number(1, 2160), '12').describe('Maximum session duration, in hours.'),
    defaultRole: optional(roleName).describe('Role for users without a known role. If unset, they are rejected.'),
    missingRoles: withDefault(z.enum(['keep', 'remove']), 'keep').describe(
      'Effect of a missing roles claim on members managed by the provider: `keep` leaves their roles, `remove` treats it as a claim without roles.',
    ),
  }),
});

/** Returns the variable of a field: `oidc.clientId` is read from OIDC_CLIENT_ID. */
export const variableName = (path: PropertyKey[]) => path.join('_').replace(/[A-Z]/g, '_$&').toUpperCase();
