import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { availableParallelism } from 'node:os';
import pg from 'pg';
import {
  documentBudgetSeconds,
  maxPageCharacters,
  maxPageMarkdownLength,
  maxTableColumns,
  pageBudgetSeconds,
  pageTimeoutSeconds,
} from '../../document-reader/src/limits.js';
import { maxDocumentBytes, maxDocumentPages } from '../../src/common/rules/document-limits.js';
import { bodyMemoryBytes, maxBodyBytes, maxResponseBytes } from '../../src/ai-gateway/tasks/ocr/body/document-limit.js';
import { defaultFetchRules } from '../../src/ai-gateway/tasks/ocr/document-fetch/fetch-rules.js';
import { type RateLimit, rateLimits } from '../../src/auth/limits/rate-limits.service.js';
import { hashPassword } from '../../src/auth/password.js';
import { graceSeconds, idleSeconds, maxSeconds } from '../../src/auth/sessions/session-lifetimes.js';
import { defaultHttpLimits } from '../../src/common/http/http-limits.js';
import { providerLimits } from '../../src/config/provider-limits.js';
import { DatabaseHistory } from '../../src/database/history/database-history.service.js';
import { managementOptions } from '../../src/database/management-data-source.js';
import { defaultThreads } from '../../src/engines/default-threads.js';
import { maxDocuments } from '../../src/engines/ocr/admitted-documents.js';
import { createMember } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { useGateway } from '../setup/gateway.js';
import { startUpstream, type Upstream, upstreamModel } from '../setup/upstream.js';
import { waitFor } from '../setup/wait-for.js';

const megabyte = 1024 * 1024;
const security = readFileSync('docs/security.md', 'utf8');

/** The rows of docs/security.md for each rate limit. */
const documentedRateLimits: Record<RateLimit, string> = {
  'sign-in by account and address': 'account and IP address',
  'sign-in by address': 'IP address',
  'sign-in by account': 'account, over all addresses not known for it',
  'client credentials by address': 'IP address: wrong client secrets of service accounts',
  'token by service account': 'service account: `POST /auth/token`',
  'password change by user': 'user: current password in a password change',
  'invitation by address': 'IP address: wrong invitation tokens',
  'acceptance by invitation': 'invitation: failed attempts to accept with a password',
  'acceptance by inviter': 'inviter: the same for all invitations they have sent',
  'password reset by address': 'IP address: wrong password reset tokens',
  'password reset mail by address': 'IP address: requests for password reset links',
  'password reset mail by account': 'email: requests for password reset links',
  'single sign-on by address': 'IP address: single sign-on starts and callbacks without success',
  'logout token by address': 'IP address: invalid logout tokens',
  'leaked keys by address': 'IP address: reports of leaked keys',
  'refresh by session': 'session: `POST /auth/refresh`',
  'creation by user':
    'user: `POST /api-keys`, `/roles`, `/members`, `/organizations`, `/service-accounts` and rotation (`CREATION_LIMIT_PER_USER`)',
  'creation by organization': 'organization: the same routes, all members together (`CREATION_LIMIT_PER_ORGANIZATION`)',
  'creation by service account': 'service account: the same routes, ten times as many as a user',
  'creation by service accounts': 'organization: the same routes, all service accounts together',
};

describe('docs/security.md', () => {
  const { bodyIdleMilliseconds, headersMilliseconds, requestMilliseconds, checkIntervalMilliseconds } =
    defaultHttpLimits;
  const { linger, reader } = defaultHttpLimits;

  it.each(Object.entries(documentedRateLimits) as [RateLimit, string][])(
    'should state the enforced limit of %s',
    (name, label) => {
      const rows = [...security.matchAll(/^\| (.+?) +\| ([\d,]+) +\|/gm)];
      const attempts = rows.find(([, text]) => text === label)?.[2]?.replace(',', '');
      expect({ attempts: Number(attempts), windowSeconds: 15 * 60 }).toEqual(rateLimits[name]);
    },
  );

  it.each([
    `A body that makes no progress for ${bodyIdleMilliseconds / 1000} seconds is rejected with 408`,
    `headers take longer than ${headersMilliseconds / 1000} seconds`,
    `takes longer than ${requestMilliseconds / 60_000} minutes in total`,
    `checked every ${checkIntervalMilliseconds / 1000} seconds`,
    `discards up to ${linger.bytes / megabyte} MB of it, for at most ${linger.totalMilliseconds / 1000} seconds in total and ${linger.idleMilliseconds / 1000} seconds without data, on up to ${linger.connections} connections`,
    `reads nothing of its response for ${reader.idleMilliseconds / 1000} seconds is disconnected`,
    `leave more than ${reader.unsentBytes / megabyte} MB unread`,
    `${maxBodyBytes / megabyte} MB for OCR, with a document of up to ${maxDocumentBytes / megabyte} MB`,
    `all requests together can use ${bodyMemoryBytes / megabyte / 1024} GB of memory`,
    `up to ${defaultFetchRules.maxBytes / megabyte} MB and take ${defaultFetchRules.timeoutSeconds} seconds`,
    `can fetch ${defaultFetchRules.fetchesPerOrganization} at a time`,
    `limited to ${providerLimits.timeoutMilliseconds / 1000} seconds and ${providerLimits.bytes / 1_000_000} MB`,
    `requested again for ${providerLimits.cooldownMilliseconds / 1000} seconds`,
    `ends after ${idleSeconds / 86_400} days without a refresh, and at the latest ${maxSeconds / 86_400} days after`,
    `share the OCR queue (${maxDocuments} documents)`,
    `| Pages of a document | ${maxDocumentPages.toLocaleString('en-US')} |`,
    `| Text layer of a page | ${maxPageCharacters.toLocaleString('en-US')} characters |`,
    `| Markdown of a page | ${maxPageMarkdownLength.toLocaleString('en-US')} characters |`,
    `| Table columns | ${maxTableColumns}; wider tables`,
    `| Response, as JSON | ${maxResponseBytes / megabyte} MB |`,
    `| Time for a page | ${pageTimeoutSeconds} seconds |`,
    `| Time for a document | ${documentBudgetSeconds} seconds, and ${pageBudgetSeconds} seconds for each requested page |`,
    `For ${graceSeconds} seconds, a token that was just replaced returns the same successor`,
  ])('should state the limit in the code: %s', (statement) => {
    expect(security.replaceAll(/\s+/g, ' ')).toContain(statement);
  });

  it('should state how passwords are hashed', async () => {
    expect(security).toContain('Argon2id, 19 MiB and two passes');
    expect(await hashPassword('correct horse battery staple')).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });
});

describe('docs/scaling.md', () => {
  it('should state how many threads an embedding engine has', () => {
    expect(readFileSync('docs/scaling.md', 'utf8')).toContain('worker threads, one per processor and at most four');
    expect(defaultThreads()).toBe(Math.min(4, availableParallelism()));
  });
});

describe('A replica with default settings', () => {
  let upstream: Upstream;
  const service = useGateway(async () => {
    upstream = await startUpstream();
    return [upstreamModel([upstream])];
  });
  afterAll(() => upstream.stop());

  it('should limit how long headers and requests take to arrive, how long responses stay unread, and connections', () => {
    const server: Server = service.app.getHttpServer();
    expect(server).toMatchObject({
      headersTimeout: defaultHttpLimits.headersMilliseconds,
      requestTimeout: defaultHttpLimits.requestMilliseconds,
      timeout: defaultHttpLimits.reader.idleMilliseconds,
      maxConnections: 10_000,
    });
  });

  it('should limit how long management requests wait for a connection, a query and a lock', async () => {
    expect(managementOptions(service.database, [], service.app.get(DatabaseHistory))).toMatchObject({
      extra: { connectionTimeoutMillis: 4000, query_timeout: 5000 },
    });
    expect(await service.query(`select current_setting('lock_timeout') as lock`)).toEqual([{ lock: '3s' }]);
  });

  it('should use 14 database connections under load, and serve API requests while management requests wait', async () => {
    const { token } = await createMember(service);
    const [blocker, observer] = [new pg.Client(service.database), new pg.Client(service.database)];
    await Promise.all([blocker.connect(), observer.connect()]);
    const countConnections = async (condition = 'true') => {
      const { rows } = await observer.query<{ name: string; count: number }>(
        `select application_name as name, count(*)::int from pg_stat_activity
         where datname = current_database() and application_name like 'keycard%' and ${condition}
         group by application_name order by application_name`,
      );
      return rows;
    };
    await blocker.query('begin; lock table roles');
    let isOver = false;
    const listRoles = async () => {
      while (!isOver) await call(service.url, 'GET /roles', { token });
    };
    const clients = Array.from({ length: 20 }, listRoles);
    try {
      await waitFor(async () => (await countConnections(`wait_event_type = 'Lock'`))[0]?.count === 10);
      const responses = await Promise.all(
        Array.from({ length: 50 }, () => service.embed({ model: 'small', input: 'a' })),
      );
      expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      expect((await call(service.url, 'GET /health/ready')).status).toBe(200);
      await waitFor(async () => (await countConnections(`application_name = 'keycard webhooks'`)).length === 1);
      expect(await countConnections()).toEqual([
        { name: 'keycard', count: 10 },
        { name: 'keycard api-key verifier', count: 1 },
        { name: expect.stringMatching(/^keycard history/) as string, count: 1 },
        { name: 'keycard usage recorder', count: 1 },
        { name: 'keycard webhooks', count: 1 },
      ]);
    } finally {
      isOver = true;
      await blocker.query('rollback');
      await Promise.all([blocker.end(), observer.end(), ...clients]);
    }
  });
});
