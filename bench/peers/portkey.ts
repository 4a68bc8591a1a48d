import path from 'node:path';
import { type ExternalServer, findFreePort, startExternalServer } from '../processes/external-server.js';
import type { Load } from '../processes/load-generator.js';
import { portkeyPackage } from './install.js';

/** Starts Portkey's open-source gateway, installed in a folder. */
export async function startPortkey(folder: string): Promise<ExternalServer> {
  const script = path.join(folder, 'node_modules', portkeyPackage, 'build/start-server.js');
  const port = await findFreePort();
  return startExternalServer({ command: process.execPath, args: [script, '--headless', `--port=${port}`], port });
}

/** The same requests, with the headers that tell Portkey where to send them. */
export function viaPortkey(requests: Load['requests'], upstreamUrl: string): Load['requests'] {
  const routing = portkeyHeaders(upstreamUrl);
  return requests.map((request) => ({ ...request, headers: { ...request.headers, ...routing } }));
}

/** Tells Portkey where to send a request. */
export function portkeyHeaders(upstreamUrl: string): Record<string, string> {
  return { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${upstreamUrl}/v1` };
}
