import path from 'node:path';
import { type Config, describeDatabase } from '../config/read-config.js';
import type { FirstStart } from '../auth/first-start.js';
import { defaultDataDir, defaultPort } from '../config/variables.js';
import type { Service } from './start-service.js';

type BannerConfig = Pick<Config, 'adminEmail' | 'databaseUrl' | 'dataDir'>;

/**
 * The text printed when the service is ready.
 *
 * @param isTerminal whether it is printed to a terminal; a generated password must not end up in a log
 */
export function banner(
  { url, firstStart, models }: Pick<Service, 'url' | 'firstStart' | 'models'>,
  config: BannerConfig,
  isTerminal: boolean,
): string {
  const email = firstStart?.email ?? config.adminEmail;
  const password = (isTerminal && firstStart?.generatedPassword) || 'YOUR_PASSWORD';
  return [
    '',
    `Keycard is ready: open ${url}`,
    ...describeAdministrator(firstStart, url, config, isTerminal),
    '',
    `Database:           ${describeDatabase(config)}`,
    `API docs:           ${url}/docs`,
    '',
    'Or sign in, create a key and use it in a terminal:',
    '',
    ...exampleCommands(url, email, password, models).map((line) => `  ${line}`),
    '',
  ].join('\n');
}

function describeAdministrator(
  firstStart: Service['firstStart'],
  url: string,
  config: BannerConfig,
  isTerminal: boolean,
): string[] {
  if (firstStart === undefined) return [];
  return ['', `Administrator:      ${firstStart.email}`, ...describePassword(firstStart, url, config, isTerminal)];
}

function describePassword(
  { email, generatedPassword }: FirstStart,
  url: string,
  config: BannerConfig,
  isTerminal: boolean,
): string[] {
  if (generatedPassword === undefined) return ['Password:           the value of ADMIN_PASSWORD'];
  if (isTerminal) return [`Password:           ${generatedPassword}   (shown only once; save it)`];
  const command = [...adminSettings(url, config), `npm run admin -- reset-password ${email}`].join(' ');
  return [
    'Password:           generated, and not shown because this output is not a terminal. Set one with:',
    `                    ${command}`,
  ];
}

/** The settings without which `npm run admin` would print a link to another port, or not find the database. */
function adminSettings(url: string, { databaseUrl, dataDir }: BannerConfig): string[] {
  const { port } = new URL(url);
  const needsDataDir = databaseUrl === undefined && dataDir !== path.resolve(defaultDataDir);
  return [
    ...(port === defaultPort ? [] : [`PORT=${port}`]),
    // A database URL has a password, which must not end up in a log.
    ...(needsDataDir ? [`DATA_DIR=${/^[\w./-]+$/.test(dataDir) ? dataDir : quoted(dataDir)}`] : []),
  ];
}

function exampleCommands(url: string, email: string, password: string, models: Service['models']): string[] {
  const json = `-H 'content-type: application/json'`;
  const field = (name: string) => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
  return [
    `TOKEN=$(curl -s ${url}/auth/sign-in ${json} -d '{"email":"${email}","password":"${password}"}' | ${field('accessToken')})`,
    `KEY=$(curl -s ${url}/api-keys -H "authorization: Bearer $TOKEN" ${json} -d '{"name":"My first key"}' | ${field('key')})`,
    useKey(url, json, models),
  ];
}

function useKey(url: string, json: string, models: Service['models']): string {
  const credential = `-H "authorization: Bearer $KEY"`;
  const model = models.find(({ task }) => task === 'embeddings');
  if (model === undefined) return `curl -s ${url}/v1/models ${credential}`;
  const body = JSON.stringify({ model: model.id, input: 'Hello, world' });
  return `curl -s ${url}/v1/embeddings ${credential} ${json} -d ${quoted(body)}`;
}

/** Quotes text as one word of a shell command. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
