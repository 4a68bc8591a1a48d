import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readConfig } from '../../src/config/read-config.js';
import { createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useTestApp } from '../setup/use-test-app.js';
import { place, statusOf } from './reports.js';

const generate = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const toPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const [current, former, stranger] = [generate(), generate(), generate()];

/** As `https://api.github.com/meta/public_keys/secret_scanning` returns it. */
const document = JSON.stringify({
  public_keys: [
    { key_identifier: 'current', key: toPem(current.publicKey), is_current: true },
    { key_identifier: 'former', key: toPem(former.publicKey), is_current: false },
  ],
});
// As an instance gets it.
const { leakedKeysPublicKeys } = structuredClone({
  ...readConfig({ LEAKED_KEYS_PUBLIC_KEYS: document }),
  readSecret: null,
});
const service = useTestApp({ config: { leakedKeysPublicKeys } });
afterEach(() => service.query('delete from rate_limits'));

const signatureOf = (text: string, { privateKey } = current) =>
  sign('sha256', Buffer.from(text), privateKey).toString('base64');

const send = (rawBody: string, headers: Record<string, string>) =>
  call(service.url, 'POST /leaked-keys', { rawBody, headers: { 'content-type': 'application/json', ...headers } });
const sendSigned = (text: string, identifier: string, signature: string) =>
  send(text, { 'github-public-key-identifier': identifier, 'github-public-key-signature': signature });

async function leak(): Promise<{ key: string; text: string }> {
  const { key } = await createApiKey(service, await createMember(service));
  // Spaces and escapes: the signature is of the body as it was sent.
  return { key, text: `[ {"token":"${key}", "url":"${place.url}", "source":"\\u0063ommit", "ignored":"é"} ]\n` };
}

describe('POST /leaked-keys with public keys', () => {
  it.each([
    ['current', current],
    ['former', former],
  ])('should accept a report signed with the %s key', async (identifier, pair) => {
    const { key, text } = await leak();
    const { status, body } = await sendSigned(text, identifier, signatureOf(text, pair));
    expect(status).toBe(200);
    expect(body).toMatchObject([{ token_raw: key, label: 'true_positive' }]);
    expect(await statusOf(service, key)).toBe(403);
  });

  it.each<[string, (text: string) => Record<string, string>]>([
    ['no signature', () => ({})],
    ['no identifier', (text) => ({ 'github-public-key-signature': signatureOf(text) })],
    [
      'an unknown identifier',
      (text) => ({ 'github-public-key-identifier': 'unknown', 'github-public-key-signature': signatureOf(text) }),
    ],
    [
      'the signature of another key',
      (text) => ({
        'github-public-key-identifier': 'current',
        'github-public-key-signature': signatureOf(text, stranger),
      }),
    ],
    [
      'the identifier of another key',
      (text) => ({ 'github-public-key-identifier': 'former', 'github-public-key-signature': signatureOf(text) }),
    ],
    [
      'a signature of the parsed body',
      (text) => ({
        'github-public-key-identifier': 'current',
        'github-public-key-signature': signatureOf(JSON.stringify(JSON.parse(text))),
      }),
    ],
    [
      'a signature of another body',
      () => ({ 'github-public-key-identifier': 'current', 'github-public-key-signature': signatureOf('[]') }),
    ],
    ...['', 'AAAA', '!', 'MEUCIQ==', 'x'.repeat(5000)].map((signature): [string, () => Record<string, string>] => [
      `the signature ${signature.slice(0, 10)}`,
      () => ({ 'github-public-key-identifier': 'current', 'github-public-key-signature': signature }),
    ]),
  ])('should reject %s with 403, and change nothing', async (_title, headersOf) => {
    const { key, text } = await leak();
    const { status, body } = await send(text, headersOf(text));
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 'invalid-signature' });
    expect(await statusOf(service, key)).toBe(200);
  });

  it('should check the signature before the fields', async () => {
    expect((await send('[1]', {})).status).toBe(403);
    expect((await sendSigned('[1]', 'current', signatureOf('[1]'))).status).toBe(400);
  });
});

describe('LEAKED_KEYS_PUBLIC_KEYS', () => {
  const rsa = toPem(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey);
  const p384 = toPem(generateKeyPairSync('ec', { namedCurve: 'secp384r1' }).publicKey);
  const withKey = (key: string) => JSON.stringify({ public_keys: [{ key_identifier: 'a', key }] });

  it.each([
    ['a file that does not exist', '/nonexistent/keys.json'],
    ['text that is not JSON', '{'],
    ['no keys', '{"public_keys":[]}'],
    ['something else than a key', withKey('-----BEGIN PUBLIC KEY-----')],
    ['an RSA key', withKey(rsa)],
    ['a key on another curve', withKey(p384)],
  ])('should not be %s', (_title, value) => {
    expect(() => readConfig({ LEAKED_KEYS_PUBLIC_KEYS: value })).toThrow(
      'LEAKED_KEYS_PUBLIC_KEYS must be a JSON document with ECDSA public keys on P-256, or a file with one.',
    );
  });
});
