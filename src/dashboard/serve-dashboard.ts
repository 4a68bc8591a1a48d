import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../common/errors/app-error.js';
import { type CompressedText, compressText, sendCompressed } from '../common/http/compressed-text.js';
import { renderDocsPage } from '../openapi/docs-page.js';
import { errorCode } from '../common/errors/error-utils.js';
import { pageHeaders } from './page-headers.js';

/** All serve the same page, which routes by its URL: reloads and links lead to the same place. */
const pagePaths = ['/', '/sign-in', '/accept-invitation', '/reset-password', '/dashboard', '/dashboard/*'];
const pageFile = 'index.html';
const docsFile = 'docs.html';
/** Written into the page by the build, and replaced with the nonce of each response. */
const noncePlaceholder = 'CSP_NONCE';
const nonceBytes = 16;
const docsPath = '/docs';
const htmlType = 'text/html; charset=utf-8';

const notBuilt = 'The dashboard is not built: run "npm run build:dashboard", then start Keycard again.';

/** Serves the built dashboard and API docs. If they weren't built, their pages return an error that says how to do it. */
export function serveDashboard(
  fastify: FastifyInstance,
  folder: string,
  { describe, logger }: { describe: () => OpenAPIObject; logger: Logger },
): void {
  const page = readPage(folder, pageFile);
  const docsTemplate = readPage(folder, docsFile);
  if (page === undefined || docsTemplate === undefined) {
    logger.warn(`${notBuilt} The API works without it.`);
    servePages(fastify, [...pagePaths, docsPath], () => {
      throw new AppError('route-not-found', notBuilt);
    });
    return;
  }
  const scriptHashes = hashInlineScripts(page);
  servePages(fastify, pagePaths, (_request, reply) => {
    const nonce = randomBytes(nonceBytes).toString('base64url');
    void reply.headers(pageHeaders({ nonce, scriptHashes })).type(htmlType);
    void reply.send(page.replaceAll(noncePlaceholder, nonce));
  });
  serveDocs(fastify, () => renderDocsPage(withoutNonces(docsTemplate), describe()));
  serveFiles(fastify, folder);
}

/** The sources that allow a page's own scripts in its policy (CSP Level 3, 2.3.1). */
function hashInlineScripts(page: string): string[] {
  return Array.from(page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs), ([, script = '']) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
}

/** The page is rendered at its first use. */
function serveDocs(fastify: FastifyInstance, render: () => string): void {
  let page: CompressedText | undefined;
  fastify.get(docsPath, (request, reply) => {
    page ??= compressText(render());
    return sendCompressed(request, reply.headers(pageHeaders()).type(htmlType), page);
  });
}

/** The page has no `<style>` elements, so that it's the same in each response and can be cached. */
function withoutNonces(page: string): string {
  return page.replaceAll(` nonce="${noncePlaceholder}"`, '');
}

function readPage(folder: string, file: string): string | undefined {
  try {
    return readFileSync(path.join(folder, file), 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function servePages(
  fastify: FastifyInstance,
  urls: readonly string[],
  handler: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  for (const url of urls) fastify.get(url, handler);
}

/** Every file that exists at startup becomes a route; other paths never reach the disk. */
function serveFiles(fastify: FastifyInstance, folder: string): void {
  const assets = path.join(folder, 'assets') + path.sep;
  void fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: [pageFile, docsFile, '**/*.{br,gz}'],
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
