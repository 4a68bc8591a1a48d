import type { RequestListener } from 'node:http';
import { DocumentFetcher } from '../../src/ai-gateway/tasks/ocr/document-fetch/document-fetcher.js';
import { defaultFetchRules, type FetchRules } from '../../src/ai-gateway/tasks/ocr/document-fetch/fetch-rules.js';
import { BodyMemory } from '../../src/common/http/body-memory.js';
import { useStarted } from '../setup/use-test-app.js';
import { type DocumentServer, startDocumentServer } from './document-server.js';

export const megabyte = 1024 * 1024;
export const document = Buffer.from('%PDF-1.7 a document');
export const memory = new BodyMemory(100 * megabyte);
export const organizationId = 'an organization';

interface Options extends Partial<FetchRules> {
  signal?: AbortSignal;
}

interface DocumentServers {
  /** The only server that may be connected to; the other rules are the defaults. */
  server: DocumentServer;
  /** A server that must not be connected to. */
  inside: DocumentServer;
  fetchDocument: (url: string, options?: Options) => Promise<Buffer>;
}

/** What the server does, by path. */
const respond: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://documents');
  const redirects = Number(searchParams.get('times'));
  switch (pathname) {
    case '/document':
      return response.setHeader('content-type', searchParams.get('type') ?? 'application/pdf').end(document);
    case '/untyped':
      return response.end(document);
    case '/redirect':
      return response.writeHead(302, { location: searchParams.get('to') ?? '' }).end('an unread body');
    case '/redirects':
      return response.writeHead(307, { location: redirects > 1 ? `?times=${redirects - 1}` : '/document' }).end();
    case '/status':
      return response.writeHead(Number(searchParams.get('code'))).end();
    case '/compressed':
      return response.writeHead(200, { 'content-encoding': 'gzip' }).end(document);
    case '/endless':
      return sendEndlessly(() => response.write(Buffer.alloc(64 * 1024)), response);
    case '/announced':
      return response.writeHead(200, { 'content-length': searchParams.get('size') ?? '' }).write(document);
    case '/cut-off':
      response.writeHead(200, { 'content-length': 1000 }).write(document, () => response.destroy());
      return;
    case '/slow':
      return response.write(document);
    default:
      // Never responds.
      return;
  }
};

/** Starts both servers before the tests of this file and stops them after them. */
export function useDocumentServers(): DocumentServers {
  const start = async (listener: RequestListener) => {
    const started = await startDocumentServer(listener);
    return { ...started, stop: started.close };
  };
  const server = useStarted(() => start(respond));
  const inside = useStarted(() => start((_request, response) => response.end('a secret')));
  const isAllowedAddress = (address: string, port: number) => address === '127.0.0.1' && port === server.port;
  return {
    server,
    inside,
    fetchDocument: async (url, { signal = new AbortController().signal, ...rules } = {}) => {
      const fetcher = new DocumentFetcher({ ...defaultFetchRules, isAllowedAddress, ...rules });
      const share = memory.open();
      try {
        return await fetcher.fetch(new URL(url), { organizationId, memory: share, signal });
      } finally {
        share.release();
      }
    },
  };
}

function sendEndlessly(write: () => boolean, sink: NodeJS.EventEmitter): void {
  let isOpen = true;
  const send = () => {
    while (isOpen && write());
  };
  sink.on('drain', send).once('close', () => (isOpen = false));
  send();
}

export const failureOf = (result: Promise<unknown>) => result.then(() => undefined).catch((error: unknown) => error);

export const unreachable = {
  code: 'validation-failed',
  message: 'The document could not be fetched: its server does not respond, or has no public IP address.',
};

export const refusal = (message: RegExp) => ({
  code: 'validation-failed',
  message: expect.stringMatching(message) as string,
  fields: [{ field: 'document', message: expect.stringMatching(message) as string }],
});
