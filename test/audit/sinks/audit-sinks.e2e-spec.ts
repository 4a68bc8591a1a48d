import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import { openSink } from '../../../src/audit/sinks/open-sink.js';
import { defaultDeliveryTimes, SinkDelivery } from '../../../src/audit/sinks/sink-delivery.js';
import { MetricsService, type Sample } from '../../../src/metrics/metrics.service.js';
import { insertAuditEvents, insertManySignIns, recordKeyCreation } from '../../factories/audit-log.js';
import { hashEvents, signedApp } from '../../factories/audit-proofs.js';
import { createMember, type Member } from '../../factories/organizations.js';
import { call } from '../../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../../setup/temporary-folder.js';
import type { TestApp } from '../../setup/test-app.js';
import { useAppStarter } from '../../setup/use-test-app.js';
import { waitFor } from '../../setup/wait-for.js';
import { expectComplete } from './expect-complete.js';
import {
  fileReceiver,
  httpReceiver,
  readFrames,
  type Receiver,
  s3Receiver,
  syslogReceiver,
  webhookSecret,
} from './receivers.js';

const startApp = useAppStarter();
let folder: TemporaryFolder;
let service: TestApp;
let member: Member;

/** The same as in production, but quick. */
const times = {
  ...defaultDeliveryTimes,
  pollMilliseconds: 10,
  takeoverMilliseconds: 20,
  pauseMilliseconds: 10,
  maxPauseMilliseconds: 50,
};

const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await makeTemporaryFolder();
  service = await startApp(signedApp());
  member = await createMember(service);
});
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await folder.remove();
});

async function start<Target extends Receiver>(receiver: Target): Promise<Target> {
  await receiver.start();
  stops.push(receiver.stop);
  return receiver;
}

/** Delivers until the test ends or the returned function is called. */
function deliver({ definition }: Receiver, app = service, options: Partial<typeof times> = {}) {
  const stopping = new AbortController();
  const logger = { warn: () => undefined, log: () => undefined };
  const dataSource = app.app.get(DataSource);
  const delivery = new SinkDelivery(definition.name, () => openSink(definition), dataSource, logger, {
    ...times,
    ...options,
  });
  const running = delivery.run(stopping.signal);
  const stop = () => {
    stopping.abort();
    return running;
  };
  stops.push(stop);
  return { delivery, stop };
}

const positionOf = async (name: string) => {
  const [row] = await service.query<{ position: number }>(
    'select position::float8 as position from audit_sinks where name = $1',
    [name],
  );
  return row?.position ?? 0;
};

async function lastPosition(): Promise<number> {
  const [row] = await service.query<{ position: number }>(
    'select coalesce(max(position), 0)::float8 as position from audit_leaves',
  );
  return row?.position ?? 0;
}

/** Waits until the sink has acknowledged everything that is hashed. */
async function untilDelivered({ definition: { name } }: Receiver): Promise<void> {
  const last = await lastPosition();
  await waitFor(async () => (await positionOf(name)) >= last);
}

/** A busy machine inserts these within the time limit of a query. */
const eventsPerStatement = 5000;

async function addEvents(count: number): Promise<void> {
  for (let left = count; left > 0; left -= eventsPerStatement) {
    await insertManySignIns(service, member, Math.min(left, eventsPerStatement));
  }
  await hashEvents(service);
}

const receivers = [
  ['an HTTPS receiver', () => httpReceiver()],
  ['an S3-compatible server', () => s3Receiver(folder.path)],
  ['a syslog server', () => syslogReceiver(folder.path)],
  ['a file', () => fileReceiver(folder.path)],
] as const;

describe.each(receivers)('%s', (_title, create) => {
  it('should receive all events of all organizations in order', async () => {
    await insertManySignIns(service, await createMember(service), 300);
    await insertAuditEvents(service, { ...member, organizationId: null }, [{ targetName: '“quoted”\n\u2028 line' }]);
    await addEvents(700);
    const receiver = await start(create());
    deliver(receiver);
    await untilDelivered(receiver);
    await addEvents(10);
    await untilDelivered(receiver);
    const lines = await receiver.lines();
    expect(lines).toHaveLength(1011);
    await expectComplete(service, lines);
  });

  it('should miss nothing while it is stopped and started again', async () => {
    await addEvents(3000);
    const receiver = await start(create());
    deliver(receiver);
    for (let round = 0; round < 4; round++) {
      await waitFor(async () => (await positionOf(receiver.definition.name)) > round * 500);
      await receiver.stop();
      await addEvents(50);
      await receiver.start();
    }
    await untilDelivered(receiver);
    await expectComplete(service, await receiver.lines());
  });
});

describe('A replica that is killed', () => {
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  function spawnReplica({ definition: sink }: Receiver): ChildProcess {
    const settings = JSON.stringify({ database: service.database, sink });
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'sink-process.js'), settings], {
      stdio: 'inherit',
    });
    children.push(child);
    return child;
  }

  /** As if half a minute had passed. */
  const expireHold = () => service.query('update audit_sinks set held_until = now()');

  it.each(receivers)('should lose no event for %s', async (_title, create) => {
    await addEvents(12_000);
    const receiver = await start(create());
    let position = 0;
    for (let round = 0; round < 3; round++) {
      const child = spawnReplica(receiver);
      await waitFor(async () => (await positionOf(receiver.definition.name)) > position);
      child.kill('SIGKILL');
      await once(child, 'exit');
      position = await positionOf(receiver.definition.name);
      await expireHold();
    }
    deliver(receiver);
    await untilDelivered(receiver);
    await expectComplete(service, await receiver.lines());
  });

  it('should lose none of 100,000 events, however often it happens', async () => {
    const count = 100_000;
    await addEvents(count);
    expect(await lastPosition()).toBe(count);
    const receiver = await start(fileReceiver(folder.path));
    for (let round = 1; round <= 6; round++) {
      const child = spawnReplica(receiver);
      await waitFor(async () => (await positionOf('file')) >= (round * count) / 8);
      child.kill('SIGKILL');
      await once(child, 'exit');
      await expireHold();
    }
    deliver(receiver);
    await untilDelivered(receiver);
    await expectComplete(service, await receiver.lines());
  });

  it('should be replaced by another within half a minute, and not earlier', async () => {
    await addEvents(10);
    const receiver = await start(httpReceiver());
    deliver(receiver);
    await untilDelivered(receiver);
    const [{ seconds } = { seconds: 0 }] = await service.query<{ seconds: number }>(
      `select extract(epoch from held_until - now())::float8 as seconds from audit_sinks`,
    );
    expect(seconds).toBeGreaterThan(10);
    expect(seconds).toBeLessThanOrEqual(30);
  });
});

describe('Two replicas', () => {
  it('should not both deliver, and take over from one that stops', async () => {
    const other = await startApp({ ...signedApp(), database: service.database });
    const receiver = await start(httpReceiver());
    const first = deliver(receiver);
    await waitFor(() => first.delivery.lagSeconds !== undefined);
    const second = deliver(receiver, other);
    await addEvents(1200);
    await untilDelivered(receiver);
    expect(second.delivery.lagSeconds).toBeUndefined();
    expect(await receiver.lines()).toHaveLength(1200);
    await first.stop();
    await addEvents(30);
    await untilDelivered(receiver);
    // Is counted after the position that the line above waits for.
    await waitFor(() => second.delivery.delivered === 30);
    expect(await receiver.lines()).toHaveLength(1230);
  });

  it('should deliver an event whose transaction commits late', async () => {
    const receiver = await start(httpReceiver());
    deliver(receiver);
    const late = service.app.get(DataSource).createQueryRunner();
    await late.startTransaction();
    await late.query(
      `insert into audit_events (id, organization_id, action, address, target_kind) values ('01900000-0000-7000-8000-000000000001', $1, 'sign-in', '::1', 'user')`,
      [member.organizationId],
    );
    await addEvents(5);
    await untilDelivered(receiver);
    expect(await receiver.lines()).toHaveLength(5);
    await late.commitTransaction();
    await late.release();
    await hashEvents(service);
    await untilDelivered(receiver);
    expect((await receiver.lines()).at(-1)).toContain('01900000-0000-7000-8000-000000000001');
    await expectComplete(service, await receiver.lines());
  });
});

describe('An HTTPS sink', () => {
  it('should get requests with the signature of Standard Webhooks, and with the same id when they are repeated', async () => {
    const receiver = await start(httpReceiver());
    let failures = 2;
    receiver.respond = () => (failures-- > 0 ? 500 : 202);
    await addEvents(3);
    const { delivery } = deliver(receiver);
    await untilDelivered(receiver);
    expect(delivery.failures).toBe(2);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(1);
    const webhook = new Webhook(webhookSecret);
    for (const { body, headers } of receiver.requests) {
      // `verify` also parses the body, as one JSON value.
      const id = String(headers['webhook-id']);
      const time = new Date(Number(headers['webhook-timestamp']) * 1000);
      expect(headers['webhook-signature']).toBe(webhook.sign(id, time, body));
      expect(Date.now() - time.getTime()).toBeLessThan(60_000);
    }
    expect(receiver.requests[0]?.headers['content-type']).toBe('application/jsonl; charset=utf-8');
  });

  it.each([301, 400, 404, 410, 429, 503])(
    'should not count a response with status %i as an acknowledgment',
    async (status) => {
      const receiver = await start(httpReceiver());
      let isRefused = true;
      receiver.respond = () => (isRefused ? status : 200);
      await addEvents(2);
      const { delivery } = deliver(receiver);
      await waitFor(() => delivery.failures > 2);
      expect(await positionOf('https')).toBe(0);
      expect(delivery.lagSeconds).toBeGreaterThan(0);
      isRefused = false;
      await untilDelivered(receiver);
      await waitFor(() => delivery.lagSeconds === 0);
      expect(await receiver.lines()).toHaveLength(2);
    },
  );

  it('should be tried again if it does not respond in time', async () => {
    const receiver = await start(httpReceiver());
    let isHanging = true;
    receiver.respond = () => (isHanging ? 'hang' : 200);
    await addEvents(2);
    const { delivery } = deliver(receiver, service, { attemptMilliseconds: 50 });
    await waitFor(() => delivery.failures > 1);
    isHanging = false;
    await untilDelivered(receiver);
    expect(await receiver.lines()).toHaveLength(2);
  });
});

describe('A sink that hangs', () => {
  it('should delay no other sink and no request, and show its lag', async () => {
    const hanging = await start(httpReceiver('hanging'));
    hanging.respond = () => 'hang';
    const other = await start(httpReceiver('other'));
    const auditSinks = [hanging.definition, other.definition];
    const app = await startApp({ ...signedApp({ auditSinks }), database: service.database });
    await recordKeyCreation(app, member, 'Search');
    await waitFor(() => hanging.requests.length > 0);
    await waitFor(async () => (await other.lines()).length === 1);
    await recordKeyCreation(app, member, 'Search');
    await waitFor(async () => (await other.lines()).length === 2);
    expect((await call(app.url, 'GET /audit-events', { token: member.token })).status).toBe(200);
    const { read } =
      app.app.get(MetricsService).readings.find(({ name }) => name === 'keycard_audit_sink_lag_seconds') ?? {};
    const lags = new Map(Array.from(read?.() as Iterable<Sample>, ({ labels, value }) => [labels['sink'], value]));
    expect(lags.get('hanging')).toBeGreaterThan(0);
    expect(lags.get('other')).toBe(0);
  });
});

describe('A syslog sink', () => {
  it('should get RFC 5424 messages with their length', async () => {
    const receiver = await start(syslogReceiver(folder.path));
    await insertAuditEvents(service, member, [
      { action: 'api-key.create', targetName: 'Schlüssel', occurredAt: new Date('2026-01-31T09:30:00.123Z') },
    ]);
    await hashEvents(service);
    deliver(receiver);
    await untilDelivered(receiver);
    const [frame = ''] = readFrames(receiver.text());
    expect(receiver.text()).toBe(`${Buffer.byteLength(frame)} ${frame}`);
    expect(frame).toMatch(
      /^<109>1 2026-01-31T09:30:00\.123Z \S+ keycard - api-key\.create - \{"index":0,"event":\{.*Schlüssel/,
    );
  });

  it('should not send anything to a server with an unknown certificate', async () => {
    const receiver = await start(syslogReceiver(folder.path));
    const { definition } = receiver;
    await addEvents(1);
    const { delivery } = deliver({ ...receiver, definition: { ...definition, ca: undefined } as typeof definition });
    await waitFor(() => delivery.failures > 1);
    expect(receiver.text()).toBe('');
  });
});

describe('A file sink', () => {
  it('should continue in a new file after the old one was renamed', async () => {
    const receiver = fileReceiver(folder.path);
    deliver(receiver);
    await addEvents(5);
    await untilDelivered(receiver);
    await rename(receiver.file, `${receiver.file}.1`);
    await addEvents(5);
    await untilDelivered(receiver);
    const lines = `${await readFile(`${receiver.file}.1`, 'utf8')}${await readFile(receiver.file, 'utf8')}`.split('\n');
    await expectComplete(service, lines.slice(0, -1));
  });

  it('should continue after the file was truncated', async () => {
    const receiver = fileReceiver(folder.path);
    deliver(receiver);
    await addEvents(5);
    await untilDelivered(receiver);
    await truncate(receiver.file);
    await addEvents(5);
    await untilDelivered(receiver);
    expect(await receiver.lines()).toHaveLength(5);
  });

  it.each([
    ['remove the rest of its own line', 'before\n{"index":12,"eve', 'before\n'],
    ['remove the rest of a long line', `before\n{"index":12,${'x'.repeat(200_000)}`, 'before\n'],
    ['end the line of another program', 'another program', 'another program\n'],
  ])('should %s that a killed process has left', async (_title, content, kept) => {
    const receiver = fileReceiver(folder.path);
    await writeFile(receiver.file, content);
    deliver(receiver);
    await addEvents(1);
    await untilDelivered(receiver);
    const text = await readFile(receiver.file, 'utf8');
    expect(text.startsWith(`${kept}{"index":0,"event":`)).toBe(true);
    expect(text.split('\n')).toHaveLength(3);
  });

  it('should be tried again while its folder is missing', async () => {
    const receiver = fileReceiver(path.join(folder.path, 'later'));
    const { delivery } = deliver(receiver);
    await addEvents(1);
    await waitFor(() => delivery.failures > 1);
    const { mkdir } = await import('node:fs/promises');
    await mkdir(path.join(folder.path, 'later'));
    await untilDelivered(receiver);
    await appendFile(receiver.file, '');
    expect(await receiver.lines()).toHaveLength(1);
  });
});
