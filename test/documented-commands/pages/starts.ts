import { existsSync } from 'node:fs';
import { appendFile, cp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { migrate } from '../../../src/database/migrate.js';
import { call } from '../../setup/call.js';
import { type Collector, startCollector } from '../../setup/collector.js';
import { startPostgresServer } from '../../setup/postgres-server.js';
import { createEmptyDatabase, type TestDatabase, toUrl } from '../../setup/test-database.js';
import { beginEvents, chatEvents } from '../../setup/generation.js';
import { respondWithJson, startUpstream } from '../../setup/upstream.js';
import { waitFor } from '../../setup/wait-for.js';
import { findPort, openInstallation, password, setVariables, signIn, start, stop } from '../installation.js';
import { type Page, type Place, withCleanup } from '../page.js';
import { readBlocks } from '../read-blocks.js';

const isReady = /Keycard is ready/;

/** The pages that start Keycard, run its admin commands, or use a database. */
export function pagesWithStarts(): Page[] {
  return [
    {
      file: 'docs/audit.md',
      open: openWithAuditLog,
      steps: [
        { responses: [200], prints: /^\{"auditEvents":\[/ },
        { responses: [200], after: hasDownloadedEvents },
        {},
        {},
        { responses: [200], prints: /^Verified \d+ audit events in \d+ trees/m },
        { responses: [200], prints: /^Verified 1 of \d+ events of keycard\/audit\//m },
        { prints: /^[A-Za-z0-9+/]{43}=$/m },
        { before: writeSinksFile, prints: isReady, after: hasDeliveredEvents },
        { prints: /^\{"index":\d+,"event":\{.*"organizationId":/m },
        { prints: /^\[\]$/ },
      ],
    },
    {
      file: 'docs/development.md',
      open: () => openInstallation(),
      steps: [{ prints: /Keycard is ready[\s\S]*Local:/ }],
    },
    {
      file: 'docs/metrics.md',
      open: async () => openInstallation({ 9090: await findPort() }),
      steps: [{ responses: [200], prints: /^keycard_/m }],
    },
    {
      file: 'docs/models.md',
      open: openWithUpstream,
      steps: [
        { before: writeModelsFile, prints: isReady, after: setVariables },
        { responses: [200], prints: /"task":"embeddings"/ },
        { responses: [200], prints: /"embedding":/ },
        { responses: [200], prints: /^\{"models":\[/ },
        { before: copyReport, responses: [200], prints: /"markdown":/ },
      ],
    },
    {
      file: 'docs/generation.md',
      open: openWithVendors,
      steps: [
        { before: writeGenerationFile, prints: isReady, after: setVariables },
        { responses: [200], prints: /"model":"gpt-mini"[\s\S]*"content":"Hello!"/ },
        { responses: [200], prints: /"model":"gpt-mini"[\s\S]*data: \[DONE\]/ },
        { responses: [200], prints: /"model":"claude"/ },
      ],
    },
    {
      file: 'docs/recovery.md',
      open: openWithMember,
      steps: [{ prints: /^admin@keycard\.local [\s\S]*#token=[\s\S]*now has the role Owner/m, after: hasNoMember }],
    },
    scalingPage(),
    { file: 'docs/single-sign-on.md', open: () => openInstallation({ '…': 'secret' }), steps: [{}] },
    tracingPage(),
  ];
}

/** The roles of the page are those of a server with the tables of a service. */
async function openWithAuditLog(): Promise<Place> {
  const place = await openInstallation();
  await start(place);
  await setVariables(place);
  const server = await startPostgresServer();
  await server.run('create database keycard');
  await migrate({ ...server.connection, database: 'keycard' });
  const query = (statements: string) => server.run(statements, 'keycard');
  return withCleanup({ ...place, query }, server.stop);
}

/** Writes the page's first file, and stops the service that is started with it. */
async function writeSinksFile(place: Place): Promise<void> {
  await stop(place);
  const yaml = readBlocks('docs/audit.md').find(({ language }) => language === 'yaml')?.text ?? '';
  await writeFile(path.join(place.folder, 'audit-sinks.yaml'), yaml);
}

async function hasDeliveredEvents({ folder }: Place): Promise<void> {
  await waitFor(() => existsSync(path.join(folder, 'audit-log.jsonl')));
}

async function hasDownloadedEvents({ folder }: Place): Promise<void> {
  expect((await readdir(folder)).filter((name) => name.endsWith('.csv'))).toHaveLength(1);
}

async function openWithUpstream(): Promise<Place> {
  const upstream = await startUpstream();
  const place = await openInstallation({ 'https://api.openai.com/v1': upstream.baseUrl, 'sk-…': 'sk-example' });
  return withCleanup(place, upstream.stop);
}

/** A server in place of both vendors. */
async function openWithVendors(): Promise<Place> {
  const upstream = await startUpstream((response, { url, body }) => {
    const { model, stream } = JSON.parse(String(body)) as { model: string; stream?: boolean };
    const content = `"model":"${model}","choices":[{"index":0,"message":{"role":"assistant","content":"Hello!"}}]`;
    if (stream === true) {
      beginEvents(response, chatEvents.text(model, 'Hello!'), chatEvents.usage(model, 9, 2)).end(chatEvents.done);
    } else if (url.endsWith('/messages')) {
      respondWithJson(response, 200, `{"model":"${model}","usage":{"input_tokens":9,"output_tokens":2}}`);
    } else respondWithJson(response, 200, `{${content},"usage":{"prompt_tokens":9,"completion_tokens":2}}`);
  });
  const place = await openInstallation({
    'https://api.openai.com/v1': upstream.baseUrl,
    'https://api.anthropic.com/v1': upstream.baseUrl,
    'sk-…': 'sk-example',
    'sk-ant-…': 'sk-ant-example',
  });
  return withCleanup(place, upstream.stop);
}

/** Writes the page's first file. */
async function writeGenerationFile({ folder, replaced }: Place): Promise<void> {
  const yaml = readBlocks('docs/generation.md').find(({ language }) => language === 'yaml')?.text ?? '';
  const text = yaml.replace(/https:\/\/\S+/g, (url) => replaced[url] ?? url);
  await writeFile(path.join(folder, 'models.yaml'), text);
}

/** Writes the page's first file, and adds a bundled model, which the last block uses. */
async function writeModelsFile({ folder, replaced }: Place): Promise<void> {
  const file = path.join(folder, 'models.yaml');
  const yaml = readBlocks('docs/models.md').find(({ language }) => language === 'yaml')?.text ?? '';
  await writeFile(file, yaml.replace('https://api.openai.com/v1', replaced['https://api.openai.com/v1'] ?? ''));
  await appendFile(file, '  - id: tesseract\n    engine: tesseract\n');
}

const copyReport = ({ folder }: Place) =>
  cp(path.join(folder, 'docs/examples/scanned-invoice.pdf'), path.join(folder, 'report.pdf'));

/** Creates the organization and the account that the page names. */
async function openWithMember(): Promise<Place> {
  const place = await openInstallation();
  await start(place);
  const { url } = place;
  const token = await signIn(place);
  expect((await call(url, 'POST /organizations', { token, body: { name: 'Research' } })).status).toBe(201);
  const { body: roles } = await call(url, 'GET /roles', { token });
  const roleId = (roles as { roles: { id: string }[] }).roles[0]?.id;
  const invited = await call(url, 'POST /members', { token, body: { email: 'ada@example.com', roleId } });
  const invitation = (invited.body as { link: string }).link.split('#token=')[1];
  const body = { token: invitation, name: 'Ada Lovelace', password };
  expect((await call(url, 'POST /auth/accept-invitation', { body })).status).toBe(200);
  return place;
}

async function hasNoMember({ terminal }: Place): Promise<void> {
  expect((await terminal.run('npm run admin -- list-accounts')).printed).not.toContain('ada@example.com');
}

function tracingPage(): Page {
  let collector: Collector;
  return {
    file: 'docs/tracing.md',
    open: async () => {
      collector = await startCollector();
      const place = await openInstallation({ 'http://127.0.0.1:4318': collector.url });
      return withCleanup(place, collector.stop);
    },
    steps: [{ prints: isReady, after: sendsSpans }],
  };

  async function sendsSpans(place: Place): Promise<void> {
    await signIn(place);
    await waitFor(() => collector.spans.length > 0);
  }
}

function scalingPage(): Page {
  let database: TestDatabase;
  return {
    file: 'docs/scaling.md',
    open: async () => {
      database = await createEmptyDatabase();
      const place = await openInstallation({ 'PORT=3000': `PORT=${await findPort()}`, '3001': await findPort() });
      return withCleanup(place, database.drop);
    },
    steps: [{ prints: isReady }, { before: useDatabase, prints: /(Keycard is ready[^]*){2}/ }],
  };

  async function useDatabase(place: Place): Promise<void> {
    await stop(place);
    const settings = { DATABASE_URL: toUrl(database.connection), JWT_SECRET: 's'.repeat(32), TRUST_PROXY: '1' };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(path.join(place.folder, '.env'), lines.join(''));
  }
}
