import { isIP } from 'node:net';
import { z } from 'zod';
import { type JwtSecrets, parseJwtSecrets } from './jwt-secret.js';

/** A kind of environment variable. */
export interface VariableType<Value> {
  /** Parses the text of the variable. Its messages are never shown: they could quote a secret. */
  schema: z.ZodType<Value, string>;
  /** Completes the sentence "NAME must be …". */
  allowed: string;
}

export const text = (allowed: string, isAllowed: (text: string) => boolean): VariableType<string> => ({
  schema: z.string().refine(isAllowed),
  allowed,
});

export const matching = (pattern: RegExp, allowed: string) => text(allowed, (value) => pattern.test(value));

export const path = matching(/^[^\0]+$/, 'a path');

export const wholeNumber = (lowest: number, highest: number): VariableType<number> => ({
  schema: z
    .string()
    .regex(/^\d{1,10}$/)
    .transform(Number)
    .pipe(z.number().min(lowest).max(highest)),
  allowed: `a whole number from ${lowest} to ${highest}`,
});

export const oneOf = <const Choice extends string>(...choices: Choice[]): VariableType<Choice> => ({
  schema: z.enum(choices),
  allowed: choices.length > 2 ? `one of ${choices.join(', ')}` : choices.join(' or '),
});

export const onOrOff: VariableType<boolean> = {
  schema: z.stringbool({ truthy: ['on'], falsy: ['off'], case: 'sensitive' }),
  allowed: 'on or off',
};

export const jwtSecrets: VariableType<JwtSecrets> = {
  schema: z.string().transform((value, context) => {
    const secrets = parseJwtSecrets(value);
    if (secrets !== undefined) return secrets;
    context.addIssue('too short');
    return z.NEVER;
  }),
  allowed: 'at least 32 bytes long, or two such secrets separated by a comma',
};

/** A comma-separated list; spaces around items are trimmed, and empty items are ignored. */
const list = (isAllowed: (item: string) => boolean) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== ''),
    )
    .refine((items) => items.every(isAllowed));

const isOrigin = (value: string) => URL.canParse(value) && new URL(value).origin === value;
const hasProtocol = (value: string, pattern: RegExp) => URL.canParse(value) && pattern.test(new URL(value).protocol);

export const origin = text(
  'an origin like https://keycard.example.com',
  (value) => isOrigin(value) && hasProtocol(value, /^https?:$/),
);

export const origins: VariableType<string[]> = {
  schema: list(isOrigin),
  allowed: 'a comma-separated list of origins like https://app.example.com',
};

export const postgresUrl = text('a URL like postgresql://user:password@host:5432/database', (value) =>
  hasProtocol(value, /^postgres(ql)?:$/),
);

/** Plain HTTP is for a provider on this machine, as in tests and first trials. */
export const issuerUrl = text('an https URL without query and fragment (http on loopback only)', (value) => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(value);
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const isProtected = protocol === 'https:' || (protocol === 'http:' && isLoopback);
  return isProtected && [search, hash, username, password].every((part) => part === '');
});

export const trustedProxies: VariableType<boolean | number | string[]> = {
  schema: z.union([
    z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive' }),
    wholeNumber(1, 100).schema,
    list((item) => isIP(item.replace(/\/\d{1,3}$/, '')) !== 0).refine((items) => items.length > 0),
  ]),
  allowed: 'true, false, a number of hops, or a comma-separated list of IP addresses and CIDR ranges',
};

/** Names of Tesseract's language data, such as `eng` and `chi_sim`. */
export const languages: VariableType<string[]> = {
  schema: list((item) => /^[A-Za-z]{3,20}(_[A-Za-z]{2,20}){0,2}$/.test(item)).refine(
    (items) => items.length > 0 && new Set(items).size === items.length,
  ),
  allowed: 'a comma-separated list of different language codes like eng,deu',
};
