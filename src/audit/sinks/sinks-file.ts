import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { nonEmptyList, text, wholeNumber } from '../../common/validation/settings-schema.js';
import type {
  FileSinkDefinition,
  HttpsSinkDefinition,
  S3SinkDefinition,
  SinkDefinition,
  SyslogSinkDefinition,
} from '../../config/sink-definition.js';

/** Settings from outside the file. */
export interface SinksFileContext {
  /** The value of an environment variable, which may be a secret. */
  readonly readSecret: (variable: string) => string | undefined;
  /** Relative paths start here. */
  readonly folder: string;
}

const name = text('must be 1 to 50 lowercase letters, digits, and hyphens', (value) => /^[a-z0-9-]{1,50}$/.test(value));

const nonEmptyText = text('must be text, and not empty', (value) => value.trim() !== '');

const isLoopback = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Plain HTTP is for a receiver on this machine. */
const receiverUrl = text('must be an https URL (http on loopback only), without credentials or fragment', (value) => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, username, password, hash } = new URL(value);
  const isProtected = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isProtected && username === '' && password === '' && hash === '';
});

/** A secret in an environment variable. Its name is in uppercase, so that a secret pasted here is rejected. */
const secretIn = ({ readSecret }: SinksFileContext, isAllowed: RegExp, rule: string) =>
  text(
    'must be the name of an environment variable in uppercase, such as AUDIT_SINK_SECRET (the name, not the secret itself)',
    (value) => /^[A-Z_][A-Z0-9_]*$/.test(value),
  ).transform((variable, context) => {
    const secret = readSecret(variable);
    if (secret === undefined) context.addIssue(`is ${variable}, and this environment variable is not set`);
    else if (!isAllowed.test(secret)) context.addIssue(`is ${variable}, whose value must be ${rule}`);
    return secret ?? '';
  });

/** Of 24 to 64 bytes, as Standard Webhooks requires. */
const webhookSecret = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const webhookSecretRule = 'whsec_ and 24 to 64 random bytes in base64';

const certificatesIn = ({ folder }: SinksFileContext) =>
  nonEmptyText.transform((file, context) => {
    try {
      const certificates = readFileSync(path.resolve(folder, file), 'utf8');
      if (certificates.includes('-----BEGIN CERTIFICATE-----')) return certificates;
      context.addIssue('must be a PEM file of certificates');
    } catch {
      context.addIssue('must be a file that Keycard can read');
    }
    return z.NEVER;
  });

/** The sinks file, parsed as YAML without empty fields. */
export function sinksFileSchema(context: SinksFileContext) {
  const printable = secretIn(context, /^[\x21-\x7e]+$/, 'printable ASCII without spaces');
  const caFile = certificatesIn(context).optional();
  const https = z
    .strictObject({
      name,
      type: z.literal('https'),
      url: receiverUrl,
      secretEnv: secretIn(context, webhookSecret, webhookSecretRule),
      caFile,
    })
    .transform(({ secretEnv: secret, caFile: ca, ...sink }): HttpsSinkDefinition => ({ ...sink, secret, ca }));
  const s3 = z
    .strictObject({
      name,
      type: z.literal('s3'),
      bucket: nonEmptyText,
      region: nonEmptyText.default('us-east-1'),
      endpoint: receiverUrl.optional(),
      prefix: text('must be text', () => true).default(''),
      accessKeyIdEnv: printable.optional(),
      secretAccessKeyEnv: printable.optional(),
      everySeconds: wholeNumber(1, 3600).default(60),
    })
    .refine(({ accessKeyIdEnv: id, secretAccessKeyEnv: secret }) => (id === undefined) === (secret === undefined), {
      path: ['accessKeyIdEnv'],
      error: 'and secretAccessKeyEnv must be set together',
    })
    .transform(({ accessKeyIdEnv: accessKeyId, secretAccessKeyEnv: secretAccessKey, ...sink }): S3SinkDefinition => ({
      ...sink,
      accessKeyId,
      secretAccessKey,
    }));
  const syslog = z
    .strictObject({
      name,
      type: z.literal('syslog'),
      host: nonEmptyText,
      port: wholeNumber(1, 65_535).default(6514),
      caFile,
    })
    .transform(({ caFile: ca, ...sink }): SyslogSinkDefinition => ({ ...sink, ca }));
  const file = z
    .strictObject({ name, type: z.literal('file'), path: nonEmptyText })
    .transform((sink): FileSinkDefinition => ({ ...sink, path: path.resolve(context.folder, sink.path) }));
  const sink = z.discriminatedUnion('type', [https, s3, syslog, file], {
    error: ({ code }) => (code === 'invalid_union' ? 'must be one of https, s3, syslog, file' : undefined),
  });
  return z
    .strictObject({ sinks: nonEmptyList(sink) })
    .refine(({ sinks }) => new Set(sinks.map((each) => each.name)).size === sinks.length, {
      path: ['sinks'],
      error: 'must have different names',
    })
    .transform(({ sinks }): readonly SinkDefinition[] => sinks);
}
