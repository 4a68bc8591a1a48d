import path from 'node:path';
import { type ExternalServer, findFreePort, startExternalServer } from '../processes/external-server.js';
import type { Load } from '../processes/load-generator.js';
import { peersFolder, portkeyPackage } from './install.js';

/** Starts Portkey's open-source gateway; returns undefined if it can't be installed. */
export async function startPortkey(): Promise<ExternalServer | undefined> {
  const folder = await peersFolder();
  if (folder === undefined) return undefined;
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
