import { connectionOf, type DatabaseConnection } from '../../config/database-connection.js';
import { CommandError } from '../admin-command.js';

export interface MoveOptions {
  organizationId: string;
  target: DatabaseConnection;
  baseUrl: string | undefined;
  drainSeconds: number;
  cancels: boolean;
  trustsEmails: boolean;
}

/** Longer than requests usually run. */
const defaultDrainSeconds = 900;
const maxDrainSeconds = 86_400;

/** @throws CommandError for an invalid option */
export function readMoveOptions(
  organizationId: string,
  flags: ReadonlySet<string>,
  options: Readonly<Partial<Record<string, string>>>,
): MoveOptions {
  const { to, 'base-url': baseUrl, 'drain-seconds': drainSeconds } = options;
  return {
    organizationId: organizationId.toLowerCase(),
    target: readTarget(to),
    baseUrl: baseUrl === undefined ? undefined : readBaseUrl(baseUrl),
    drainSeconds: drainSeconds === undefined ? defaultDrainSeconds : readSeconds(drainSeconds),
    cancels: flags.has('cancel'),
    trustsEmails: flags.has('match-accounts'),
  };
}

function readTarget(to: string | undefined): DatabaseConnection {
  const protocol = to !== undefined && URL.canParse(to) ? new URL(to).protocol : undefined;
  if (to === undefined || (protocol !== 'postgres:' && protocol !== 'postgresql:')) {
    throw new CommandError(
      '--to must be the URL of the target database, such as postgresql://user:password@host/keycard.',
    );
  }
  return connectionOf(to);
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isBase =
    url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === '';
  if (!isBase || url.username !== '')
    throw new CommandError('--base-url must be a URL such as https://eu.keycard.example.');
  return url.href.replace(/\/$/, '');
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{1,5}$/.test(text) && seconds <= maxDrainSeconds) return seconds;
  throw new CommandError(`--drain-seconds must be a whole number from 0 to ${maxDrainSeconds}.`);
}
