import { startPortkey, viaPortkey } from '../peers/portkey.js';
import type { ExternalServer } from '../processes/external-server.js';
import { startHaproxy } from '../processes/haproxy.js';
import type { Load } from '../processes/load-generator.js';
import { startNginx } from '../processes/nginx.js';
import type { Targets } from './target.js';

/**
 * Starts the proxies that are installed.
 *
 * @param servers receives them, to be stopped
 */
export async function startProxies(
  upstreamUrl: string,
  requests: Load['requests'],
  servers: ExternalServer[],
): Promise<Targets> {
  const start = async (name: keyof Targets, starting: Promise<ExternalServer | undefined>, own = requests) => {
    const server = await starting;
    if (server === undefined) return {};
    servers.push(server);
    return { [name]: { url: server.url, pid: server.pid, requests: own } };
  };
  return {
    ...(await start('nginx', startNginx(upstreamUrl))),
    ...(await start('haproxy', startHaproxy(upstreamUrl))),
    ...(await start('portkey', startPortkey(), viaPortkey(requests, upstreamUrl))),
  };
}
