import 'reflect-metadata';
import path from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import openapiTypes, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { defaultModels } from '../src/ai-gateway/models/default-models.js';
import { AppModule } from '../src/app.module.js';
import { readConfig } from '../src/config/read-config.js';
import type { ServiceConfig } from '../src/config/service-config.js';
import { createOpenApiDocument } from '../src/openapi/create-document.js';
import { writeOrCheck } from './lib/write-or-check.js';

/** Placeholder: describing the routes connects to nothing. */
const config: ServiceConfig = {
  ...readConfig({}),
  database: { host: 'unused', port: 1, user: 'unused', database: 'unused', password: '', ssl: false },
  jwtSecrets: ['unused'],
  models: defaultModels(),
  services: [],
  dashboardFolder: undefined,
};

/** Returns the document with its keys sorted, so that diffs show only changes. */
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

/** Generates the types of the dashboard's client from the document. */
async function writeTypes(document: string): Promise<string> {
  const types = await openapiTypes(document, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
    // Browsers send files as `Blob`.
    transform: ({ format }) => (format === 'binary' ? ts.factory.createTypeReferenceNode('Blob') : undefined),
  });
  return `/** Generated from openapi.json by "npm run openapi". */\n${astToString(types)}`;
}

const document = await writeDocument();
await writeOrCheck('openapi.json', document);
await writeOrCheck(path.join('dashboard', 'src', 'api', 'schema.d.ts'), await writeTypes(document));
