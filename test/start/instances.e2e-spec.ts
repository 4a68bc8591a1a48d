import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, type ClientRequest, request as send, type IncomingMessage } from 'node:http';
import { createServer } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { errorCode } from '../../src/common/errors/error-utils.js';
import { isRunning } from '../../src/database/embedded-postgres/process-table.js';
import { createApiKey, type CreatedKey } from '../factories/api-keys.js';
import { createMember, type Member } from '../factories/organizations.js';
import { call } from '../setup/call.js';
import { listenOnLastingPort } from '../setup/lasting-port.js';
import { readRecordedUsage } from '../setup/recorded-usage.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { respondWithEmbeddings, startUpstream, type Upstream } from '../setup/upstream.js';
import { useTestApp } from '../setup/use-test-app.js';
import { waitFor } from '../setup/wait-for.js';
import { runReplica } from './replica.js';
import type { ServiceProcess } from './service-process.js';

interface LogLine {
  instance?: number;
  pid: number;
}

interface Cluster {
  process: ServiceProcess;
  url: string;
  metricsUrl: string;
}

/** Owns the database and receives no requests. */
const owner = useTestApp();
let folder: TemporaryFolder;
let upstream: Upstream;
let member: Member;
let key: CreatedKey;
/** Shared by the tests, until one of them stops it. */
let shared: Cluster | undefined;
const started: ServiceProcess[] = [];
const connections: Connection[] = [];

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  upstream = await startUpstream();
  const model = `{ id: remote, task: embeddings, targets: [{ baseUrl: '${upstream.baseUrl}' }] }`;
  await writeFile(path.join(folder.path, 'models.yaml'), `models:\n  - ${model}\n`);
  member = await createMember(owner);
  key = await createApiKey(owner, member);
});
beforeEach(() => {
  upstream.respond = respondWithEmbeddings();
});
afterEach(() => connections.splice(0).forEach((connection) => connection.close()));
afterAll(async () => {
  for (const { child, exited } of started) {
    child.kill('SIGKILL');
    await exited;
  }
  await upstream.stop();
  await folder.remove();
});

function run(environment: Record<string, string> = {}): ServiceProcess {
  const models = path.join(folder.path, 'models.yaml');
  const service = runReplica(owner, { WORKERS: '2', MODELS_FILE: models, ...environment });
  started.push(service);
  return service;
}

async function startCluster(): Promise<Cluster> {
  const probe = createServer();
  const metricsPort = await listenOnLastingPort(probe);
  probe.close();
  const process = run({ METRICS_PORT: String(metricsPort), DRAIN_SECONDS: '2' });
  return { process, url: await process.ready, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
}

async function useCluster(): Promise<Cluster> {
  return (shared ??= await startCluster());
}

/** For a test that stops it. */
async function takeCluster(): Promise<Cluster> {
  const cluster = await useCluster();
  shared = undefined;
  return cluster;
}

/** Returns the last log line that contains a text. */
function lastLine({ process }: Cluster, text: string): LogLine | undefined {
  const printed = process.printed();
  const found = printed.lastIndexOf(text);
  const end = printed.indexOf('\n', found);
  if (found === -1 || end === -1) return undefined;
  return JSON.parse(printed.slice(printed.lastIndexOf('\n', found) + 1, end)) as LogLine;
}

/** The process id of an instance that has served a request. */
const pidOf = (cluster: Cluster, instance: number) => lastLine(cluster, `"instance":${instance},"requestId"`)?.pid ?? 0;

let lastRequest = 0;

/** A client with one connection, which is opened again if it's lost. */
class Connection {
  /** The instance that served its last request. */
  instance: number | undefined;
  private readonly agent: Agent;

  constructor(
    private readonly cluster: Cluster,
    private readonly token = key.key,
    keepAlive = true,
  ) {
    this.agent = new Agent({ keepAlive, maxSockets: 1 });
    connections.push(this);
  }

  async get(path: string): Promise<number | undefined> {
    return this.finish(this.start('GET', path).end());
  }

  async embed(): Promise<number | undefined> {
    return this.finish(this.start('POST', '/v1/embeddings').end('{"model":"remote","input":"red apples"}'));
  }

  /** Finds the instance at the other end. */
  async findInstance(): Promise<number> {
    const requestId = `request-${++lastRequest}.`;
    expect(await this.finish(this.start('GET', '/v1/models', requestId).end())).toBe(200);
    const line = () => lastLine(this.cluster, requestId);
    await waitFor(() => line() !== undefined);
    return line()?.instance ?? 0;
  }

  close(): void {
    this.agent.destroy();
  }

  private start(method: string, path: string, requestId = ''): ClientRequest {
    const headers = {
      authorization: `Bearer ${this.token}`,
      'content-type': 'application/json',
      ...(requestId !== '' && { 'x-request-id': requestId }),
    };
    return send(this.cluster.url + path, { method, agent: this.agent, headers, timeout: 20_000 });
  }

  private async finish(request: ClientRequest): Promise<number | undefined> {
    request.on('timeout', () => request.destroy(new Error('No response in 20 seconds.')));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await text(response);
    return response.statusCode;
  }
}

/** Opens connections until there is one to each instance. */
async function connectToBoth(cluster: Cluster, token = key.key): Promise<[Connection, Connection]> {
  const found = new Map<number, Connection>();
  while (found.size < 2) {
    const connection = new Connection(cluster, token);
    found.set(await connection.findInstance(), connection);
  }
  const [first, second] = [found.get(1), found.get(2)];
  if (first === undefined || second === undefined) throw new Error('The instances are not numbered 1 and 2.');
  return [first, second];
}

describe('A service with two instances', () => {
  it('should serve one port with both, and say in each log line which one wrote it', async () => {
    const cluster = await useCluster();
    await connectToBoth(cluster);
    expect(pidOf(cluster, 1)).not.toBe(pidOf(cluster, 2));
    expect(isRunning(pidOf(cluster, 1)) && isRunning(pidOf(cluster, 2))).toBe(true);
    expect(cluster.process.printed().match(/Keycard is ready/g)).toHaveLength(1);
  });

  it('should show the sum of both as metrics', async () => {
    const cluster = await useCluster();
    const valueOf = async (series: string) => {
      const lines = (await (await fetch(cluster.metricsUrl)).text()).split('\n');
      return Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1) ?? 0);
    };
    const tokens = 'keycard_input_tokens_total{model="remote"}';
    const both = await connectToBoth(cluster);
    const before = await valueOf(tokens);
    for (const connection of both) expect(await connection.embed()).toBe(200);
    expect(await valueOf(tokens)).toBe(before + 16);
    expect(await valueOf('keycard_instances')).toBe(2);
    const circuit = `keycard_upstream_circuit_open{model="remote",server_address="${new URL(upstream.baseUrl).host}"}`;
    expect(await valueOf(circuit)).toBe(0);
  });

  it('should reject a deleted key in both immediately', async () => {
    const cluster = await useCluster();
    const { id, key: deleted } = await createApiKey(owner, member);
    const both = await connectToBoth(cluster, deleted);
    expect((await call(cluster.url, `DELETE /api-keys/${id}`, { token: member.token })).status).toBe(200);
    expect(await Promise.all(both.map((connection) => connection.get('/v1/models')))).toEqual([401, 401]);
  });

  it('should lose only the requests of an instance killed under load, count all others once, and replace it', async () => {
    const cluster = await useCluster();
    const clients = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => {
        const { id, key: token } = await createApiKey(owner, member);
        // The last ones open a connection for each request.
        const keepAlive = index < 12;
        const connection = new Connection(cluster, token, keepAlive);
        const instance = keepAlive ? await connection.findInstance() : undefined;
        return { id, connection, instance, received: 0, lost: 0 };
      }),
    );
    let received = 0;
    const load = clients.map(async (client) => {
      while (received < 600) {
        try {
          expect(await client.connection.embed()).toBe(200);
          client.received += 1;
          received += 1;
        } catch (error) {
          expect(['ECONNRESET', 'EPIPE']).toContain(errorCode(error));
          client.lost += 1;
        }
      }
    });
    await waitFor(() => received > 200);
    process.kill(pidOf(cluster, 1), 'SIGKILL');
    await Promise.all(load);

    expect(new Set(clients.map(({ instance }) => instance))).toEqual(new Set([1, 2, undefined]));
    expect(clients.filter(({ instance, lost }) => instance === 2 && lost > 0)).toEqual([]);
    // One request at a time on each connection, and none is repeated on the lost one. New connections may reach the instance
    // until the primary knows that it was killed.
    expect(clients.filter(({ instance, lost }) => instance !== undefined && lost > 1)).toEqual([]);
    const recorded = await readRecordedUsage(
      owner,
      clients.map(({ id }) => id),
    );
    const surplus = clients.map(({ id, received: count }) => (recorded.get(id)?.requests ?? 0) - count);
    // The response of a lost request may have been on its way.
    expect(clients.filter(({ lost }, index) => (surplus[index] ?? -1) < 0 || (surplus[index] ?? 2) > lost)).toEqual([]);
    await waitFor(() => lastLine(cluster, 'The instance is running again.') !== undefined);
    await connectToBoth(cluster);
  });

  it('should end with the primary if that is killed', async () => {
    const cluster = await takeCluster();
    await connectToBoth(cluster);
    const pids = [pidOf(cluster, 1), pidOf(cluster, 2)];
    cluster.process.child.kill('SIGKILL');
    await waitFor(() => !pids.some(isRunning));
  });

  it('should fail no request on SIGTERM: report not ready, serve until load balancers notice, and finish', async () => {
    const cluster = await takeCluster();
    const waiting: (() => unknown)[] = [];
    const both = await connectToBoth(cluster);
    upstream.respond = (...exchange) => waiting.push(() => respondWithEmbeddings()(...exchange));
    const inFlight = both.map((connection) => connection.embed());
    await waitFor(() => waiting.length === 2);

    cluster.process.child.kill('SIGTERM');
    const client = new Connection(cluster);
    const statuses = new Set<number | undefined>();
    while ((await new Connection(cluster).get('/health/ready')) === 200) statuses.add(await client.get('/v1/models'));
    for (let count = 0; count < 6; count += 1) {
      // Each is a new connection, for one of the instances.
      statuses.add(await client.get('/v1/models'));
      expect(await client.get('/health/ready')).toBe(503);
    }
    expect(statuses).toEqual(new Set([200]));
    // Both have stopped listening, with requests in flight.
    await waitFor(() =>
      client.get('/health/live').then(
        () => false,
        () => true,
      ),
    );
    for (const respond of waiting) respond();
    expect(await Promise.all(inFlight)).toEqual([200, 200]);
    expect(await cluster.process.exited).toBe(0);
  });

  it('should exit with one sentence and code 1 if the port is in use', async () => {
    const server = createServer();
    const port = await listenOnLastingPort(server);
    const service = run({ PORT: String(port), LOG_LEVEL: 'error' });
    const code = await service.exited;
    server.close();
    expect(service.printed()).toBe(
      `Keycard cannot start: PORT ${port} on 127.0.0.1 is in use by another process; stop it or set another PORT.\n`,
    );
    expect(code).toBe(1);
  });
});
