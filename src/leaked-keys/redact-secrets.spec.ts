import { generateApiKey } from '../api-keys/api-key.token.js';
import { clientSecretFormat } from '../service-accounts/client-secret.js';
import { redactSecrets, redactUrl } from './redact-secrets.js';

const key = generateApiKey();
const secret = clientSecretFormat.generate();

describe('redactSecrets', () => {
  it('should keep the first characters of keys and client secrets', () => {
    expect(redactSecrets(`a ${key}, ${secret} and ${key}`)).toBe(
      `a ${key.slice(0, 8)}***, ${secret.slice(0, 9)}*** and ${key.slice(0, 8)}***`,
    );
  });

  it('should leave other text alone', () => {
    for (const text of ['', 'commit', 'kc_', `kc_${'x'.repeat(20)}`]) expect(redactSecrets(text)).toBe(text);
  });
});

describe('redactUrl', () => {
  it.each([
    ['https://github.com/a/b/blob/main/.env#L1', 'https://github.com/a/b/blob/main/.env#L1'],
    ['https://example.com', 'https://example.com/'],
    ['https://bücher.example/é', 'https://xn--bcher-kva.example/%C3%A9'],
    ['https://user:password@example.com/a?b=c', 'https://example.com/a?b=c'],
    [`https://example.com/?key=${key}`, `https://example.com/?key=${key.slice(0, 8)}***`],
    [`https://${secret}@example.com/`, 'https://example.com/'],
    [`https://example.com/a?key=kc%5f${key.slice(3)}`, 'https://example.com'],
    [`https://example.com/%6B${key.slice(1)}`, 'https://example.com'],
  ])('should remove secrets from %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
  });
});
