import { buildCommit } from '../compare/build-commit.js';
import { describeRelease, findPreviousRelease } from '../compare/previous-release.js';
import { startBuild } from '../compare/start-build.js';
import type { BenchDatabase } from '../data/bench-database.js';
import { makeBenchFolder } from '../data/bench-folder.js';
import { embeddingsRequests } from '../data/embeddings-requests.js';
import type { ExternalServer } from '../processes/external-server.js';
import { reasonOf } from '../reason.js';
import type { Target } from './target.js';

interface Builds {
  targets: { keycard: Target; previous?: Target };
  /** What the previous release is, or why it's left out. */
  note: string;
}

type Start = (name: 'keycard' | 'previous', folder: string) => Promise<Target>;

/**
 * Starts this build, and that of the previous release unless it can't be built.
 *
 * @param servers receives both, to be stopped
 */
export async function startBuilds(
  { connection, client }: BenchDatabase,
  upstreamUrl: string,
  servers: ExternalServer[],
): Promise<Builds> {
  const data = await makeBenchFolder();
  const start: Start = async (name, folder) => {
    const database = `forwarding_${name}`;
    const settings = { name: database, folder, dataFolder: data.path, connection, client };
    const build = await startBuild({ ...settings, upstreamUrls: { embeddings: upstreamUrl } });
    servers.push(build);
    return { url: build.url, pid: build.pid, requests: embeddingsRequests(build.keys) };
  };
  const keycard = await start('keycard', process.cwd());
  const { note, target } = await startPrevious(start);
  return { targets: { keycard, ...(target && { previous: target }) }, note };
}

async function startPrevious(start: Start): Promise<{ note: string; target?: Target }> {
  try {
    const release = await findPreviousRelease();
    const { path, description } = await buildCommit(release.commit);
    const target = await start('previous', path);
    return { note: describeRelease(release, description), target };
  } catch (error) {
    const note = `The previous release is left out, because it can't be built or started: ${reasonOf(error)}`;
    console.log(note);
    return { note };
  }
}
