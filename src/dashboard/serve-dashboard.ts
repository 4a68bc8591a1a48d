import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../common/errors/app-error.js';
import { errorCode } from '../common/errors/error-utils.js';
import { pageHeaders } from './page-headers.js';

/** All serve the same page, which routes by its URL: reloads and links lead to the same place. */
const pagePaths = ['/', '/sign-in', '/accept-invitation', '/reset-password', '/dashboard', '/dashboard/*'];
const pageFile = 'index.html';
/** Written into the page by the build, and replaced with the nonce of each response. */
const noncePlaceholder = 'CSP_NONCE';
const nonceBytes = 16;

const notBuilt = 'The dashboard is not built: run "npm run build:dashboard", then start Keycard again.';

/** Serves the built dashboard; if there is none, its pages return an error that says how to build it. */
export function serveDashboard(fastify: FastifyInstance, folder: string, logger: Logger): void {
  const page = readPage(folder);
  if (page === undefined) {
    logger.warn(`${notBuilt} The API works without it.`);
    servePages(fastify, () => {
      throw new AppError('route-not-found', notBuilt);
    });
    return;
  }
  servePages(fastify, (_request, reply) => {
    const nonce = randomBytes(nonceBytes).toString('base64url');
    void reply.headers(pageHeaders(nonce)).type('text/html; charset=utf-8');
    void reply.send(page.replaceAll(noncePlaceholder, nonce));
  });
  serveFiles(fastify, folder);
}

function readPage(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, pageFile), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function servePages(fastify: FastifyInstance, handler: (request: FastifyRequest, reply: FastifyReply) => void): void {
  for (const url of pagePaths) fastify.get(url, handler);
}

/** Every file that exists at startup becomes a route; other paths never reach the disk. */
function serveFiles(fastify: FastifyInstance, folder: string): void {
  const assets = path.join(folder, 'assets') + path.sep;
  void fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: [pageFile, '**/*.{br,gz}'],
    index: false,
    decorateReply: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, file) => {
      // Names of assets contain a hash of their content.
      const lifetime = file.startsWith(assets) ? 'max-age=31536000, immutable' : 'max-age=3600';
      void reply.header('cache-control', `public, ${lifetime}`);
    },
  });
}
