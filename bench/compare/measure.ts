import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { maxLimit } from '../../src/common/rules/limit-rules.js';
import { CpuMeter, type MeteredProcesses } from '../cpu-meter.js';
import { findPostmaster } from '../cpu-time.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { embeddingsRequests } from '../data/embeddings-requests.js';
import { type Child, withChildren } from '../processes/child.js';
import type { Load, LoadResult } from '../processes/load-generator.js';
import type { StreamLoad, StreamResult } from '../processes/stream-readers.js';
import { measureInRounds } from '../rounds.js';
import type { Listening } from '../servers/keycard.js';
import { buildCommit } from './build-commit.js';
import { type ComparedPath, type Comparison, compare } from './comparison.js';
import { installNode } from './install-node.js';
import { type RunningBuild, startBuild } from './start-build.js';

const rounds = 9;
const roundSeconds = 2;
const warmUpSeconds = 3;
const streams = 100;
const limitsFeature = 'limits';
const streamRoute = '/v1/chat/completions';
const limits = [{ metric: 'requests', per: 'minute', max: maxLimit }];

const scripts = {
  generator: new URL('../processes/load-generator.js', import.meta.url),
  readers: new URL('../processes/stream-readers.js', import.meta.url),
  upstream: new URL('../servers/mock-upstream.js', import.meta.url),
  streamUpstream: new URL('../servers/stream-upstream.js', import.meta.url),
};

/** Sends a build requests for some seconds, or once for streams. */
type Send = (build: MeasuredBuild, seconds: number) => Promise<{ requests: number; perSecond: number }>;

/** Requests that applications send all the time. */
interface HotPath {
  name: string;
  /** A route, or `limitsFeature`, which a build may not have yet. */
  needs: string;
  send: Send;
}

/** A build, and the Node binary that runs it. */
interface Build {
  folder: string;
  node: string;
}

/** A running build, and keys with a limit that nothing here reaches. */
type MeasuredBuild = RunningBuild & { limitedKeys: string[] };

/**
 * Compares the hot paths of the present build with those of another commit, alternately in the same run. Leaves out what
 * the other one doesn't have yet.
 *
 * @param commit anything that git accepts, such as `HEAD~3`
 * @throws Error if the commit can't be built
 */
export async function measureCommit(commit: string, database: BenchDatabase): Promise<Comparison> {
  const other = await buildCommit(commit);
  try {
    const before = { ...presentBuild, folder: other.path };
    const paths = await measureBuilds({ before, now: presentBuild }, database);
    return { title: `Compared with ${other.description}`, names: { now: 'Now', before: 'Before' }, paths };
  } finally {
    await other.remove();
  }
}

/**
 * Compares the hot paths of the present build on another version of Node with those on the running one.
 *
 * @param version anything that npm accepts, such as `24`
 * @throws Error if the version can't be installed
 */
export async function measureNode(version: string, database: BenchDatabase): Promise<Comparison> {
  const other = await installNode(version);
  try {
    const paths = await measureBuilds({ before: presentBuild, now: { ...presentBuild, node: other.path } }, database);
    const names = { now: `Node ${other.version}`, before: `Node ${process.version}` };
    return { title: `The same build on ${names.now}, compared with ${names.before}`, names, paths };
  } finally {
    await other.remove();
  }
}

const presentBuild: Build = { folder: process.cwd(), node: process.execPath };

function measureBuilds(builds: Record<'before' | 'now', Build>, database: BenchDatabase): Promise<ComparedPath[]> {
  return withChildren(scripts, (children) => measurePaths(builds, database, children));
}

async function measurePaths(
  builds: Record<'before' | 'now', Build>,
  { connection, client }: BenchDatabase,
  { generator, readers, upstream, streamUpstream }: Record<keyof typeof scripts, Child>,
): Promise<ComparedPath[]> {
  const embeddings = await upstream.run<Listening>({});
  const stream = await streamUpstream.run<Listening>({ events: 50, millisecondsBetween: 10 });
  const data = await makeBenchFolder();
  const features = await readFeatures(builds.before.folder);
  const upstreamUrls = { embeddings: embeddings.url, ...(features.has(streamRoute) && { stream: stream.url }) };
  const common = { dataFolder: data.path, connection, client, upstreamUrls };
  const running: RunningBuild[] = [];
  const start = async (name: 'before' | 'now'): Promise<MeasuredBuild> => {
    const build = await startBuild({ ...common, ...builds[name], name });
    running.push(build);
    return { ...build, limitedKeys: features.has(limitsFeature) ? await build.createKeys({ limits }) : [] };
  };
  try {
    const [before, now] = [await start('before'), await start('now')];
    const processes = {
      contenders: { before: before.pid, now: now.pid },
      postmaster: await findPostmaster(client),
    };
    const paths: ComparedPath[] = [];
    for (const { name, send } of hotPaths(generator, readers).filter(({ needs }) => features.has(needs))) {
      console.log(`Comparing ${name} …`);
      paths.push(await measurePath(name, send, { before, now }, processes));
    }
    return paths;
  } finally {
    for (const build of running) await build.stop();
    await data.remove();
  }
}

/** Reads from its OpenAPI document what a build has: its routes, and whether keys can have limits. */
async function readFeatures(folder: string): Promise<Set<string>> {
  const text = await readFile(path.join(folder, 'openapi.json'), 'utf8');
  const { paths, components } = JSON.parse(text) as { paths: object; components: { schemas: Schemas } };
  const hasLimits = components.schemas.CreateApiKeyDto?.properties?.limits !== undefined;
  return new Set([...Object.keys(paths), ...(hasLimits ? [limitsFeature] : [])]);
}

interface Schemas {
  CreateApiKeyDto?: { properties?: { limits?: object } };
}

function hotPaths(generator: Child, readers: Child): HotPath[] {
  const generate = async (load: Omit<Load, 'seconds'>, seconds: number) => {
    const { requests, requestsPerSecond } = await generator.run<LoadResult>({ ...load, seconds } satisfies Load);
    return { requests, perSecond: requestsPerSecond };
  };
  const embed = (
    name: string,
    connections: number,
    keysOf: (build: MeasuredBuild) => string[],
    needs = '/v1/embeddings',
  ): HotPath => ({
    name: `embeddings, ${name}`,
    needs,
    send: (build, seconds) =>
      generate({ url: build.url, connections, requests: embeddingsRequests(keysOf(build)) }, seconds),
  });
  return [
    embed('1 connection', 1, ({ keys }) => keys),
    embed('16 connections', 16, ({ keys }) => keys),
    embed('64 connections', 64, ({ keys }) => keys),
    embed('keys with a limit, 64 connections', 64, ({ limitedKeys }) => limitedKeys, limitsFeature),
    {
      name: 'authorize, 64 connections',
      needs: '/v1/authorize',
      send: ({ url, keys }, seconds) => {
        const requests = keys.map((key) => ({ path: '/v1/authorize', headers: { authorization: `Bearer ${key}` } }));
        return generate({ url, connections: 64, requests }, seconds);
      },
    },
    {
      name: `events of ${streams} streams`,
      needs: streamRoute,
      send: async ({ url, keys: [key = ''] }) => {
        const body = JSON.stringify({ model: 'stream', stream: true, messages: [{ role: 'user', content: 'Hello' }] });
        const load: StreamLoad = { url, headers: { authorization: `Bearer ${key}` }, body, streams };
        const start = performance.now();
        const { events } = await readers.run<StreamResult>(load);
        return { requests: events, perSecond: events / ((performance.now() - start) / 1000) };
      },
    },
  ];
}

async function measurePath(
  name: string,
  send: Send,
  builds: Record<'before' | 'now', MeasuredBuild>,
  processes: MeteredProcesses<'before' | 'now'>,
): Promise<ComparedPath> {
  await send(builds.before, warmUpSeconds);
  await send(builds.now, warmUpSeconds);
  const cpu = new CpuMeter(processes);
  const measure = (build: 'before' | 'now') => async () =>
    (await cpu.measure(build, () => send(builds[build], roundSeconds))).perSecond;
  const perSecond = await measureInRounds(rounds, { before: measure('before'), now: measure('now') });
  return {
    name,
    perSecond: compare(perSecond),
    ownMicroseconds: compare(cpu.roundsOf('own')),
    databaseMicroseconds: compare(cpu.roundsOf('database')),
  };
}
