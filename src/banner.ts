import type { Config } from './config/read-config.js';
import type { Service } from './service.js';

/** What the operator reads once the service is up. */
export function banner({ url, firstStart }: Service, config: Config): string {
  const email = firstStart?.email ?? config.adminEmail;
  const password = firstStart?.generatedPassword ?? 'YOUR_PASSWORD';
  return [
    '',
    `Keycard is ready at ${url}`,
    `API docs:           ${url}/docs`,
    ...describeAdministrator(firstStart),
    '',
    'Sign in, create a key and embed a sentence:',
    '',
    ...tryOut(url, email, password).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function describeAdministrator(firstStart: Service['firstStart']): string[] {
  if (firstStart === undefined) return [];
  const password = firstStart.generatedPassword;
  return [
    '',
    `Administrator:      ${firstStart.email}`,
    password === undefined
      ? 'Password:           the one in ADMIN_PASSWORD'
      : `Password:           ${password}   (shown this once; keep it)`,
  ];
}

function tryOut(url: string, email: string, password: string): string[] {
  const json = `-H 'content-type: application/json'`;
  const field = (name: string) => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
  return [
    `TOKEN=$(curl -s ${url}/auth/sign-in ${json} -d '{"email":"${email}","password":"${password}"}' | ${field('accessToken')})`,
    `KEY=$(curl -s ${url}/api-keys -H "authorization: Bearer $TOKEN" ${json} -d '{"name":"My first key"}' | ${field('key')})`,
    `curl -s ${url}/v1/embeddings -H "authorization: Bearer $KEY" ${json} -d '{"model":"universal-sentence-encoder-lite","input":"Hello, world"}'`,
  ];
}
