import 'reflect-metadata';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { defaultModels } from '../src/ai-gateway/models/default-models.js';
import { AppModule } from '../src/app.module.js';
import type { ServiceConfig } from '../src/config/service-config.js';
import { createOpenApiDocument } from '../src/openapi.js';

const file = 'openapi.json';

/** Nothing is started, so nothing of this is used. */
const config: ServiceConfig = {
  database: {},
  jwtSecret: 'not needed to describe the routes',
  jwtTtlSeconds: 900,
  trustProxy: false,
  publicUrl: undefined,
  corsOrigins: [],
  documentFetch: true,
  isPasswordSignInOn: true,
  oidc: undefined,
  models: defaultModels(),
};

/** The document as it is committed: keys in alphabetical order, so that a diff shows changes and nothing else. */
async function writeDocument(): Promise<string> {
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.forRoot(config), new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  return `${JSON.stringify(createOpenApiDocument(app), sortKeys, 2)}\n`;
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const document = await writeDocument();
if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => undefined);
  if (committed !== document) {
    console.error(`${file} is not what the controllers say: run "npm run openapi" and commit the result.`);
    process.exitCode = 1;
  }
} else {
  await writeFile(path.resolve(file), document);
}
