import 'reflect-metadata';
import { UseGuards } from '@nestjs/common';
import type { ClientConfig } from 'pg';
import type { ModelDefinition } from '../../src/config/model-definition.js';
import { ModelsController } from '../../src/ai-gateway/models/models.controller.js';
import { createApp } from '../../src/app.setup.js';
import { Public } from '../../src/access/declare-access.js';
import { createLogger } from '../../src/common/logging/logger.js';
import { answerQuestions } from '../processes/answer-questions.js';
import { benchConfig } from './bench-config.js';
import { TypeOrmKeyGuard } from './typeorm-key.guard.js';

export interface KeycardSettings {
  database: ClientConfig;
  /** How `GET /v1/models` checks keys: as the service does, not at all, or by a guard with a TypeORM query. */
  access: 'service' | 'public' | 'typeorm';
  /** By default the embedded ones. */
  models?: ModelDefinition[];
}

export interface Listening {
  url: string;
}

/** The service as it is, but for the declared access of one route; it logs each request at level `info`. */
async function start({ database, access, models }: KeycardSettings): Promise<Listening> {
  if (access !== 'service') redeclareListModels(access);
  const app = await createApp({ ...benchConfig(database), ...(models && { models }) }, createLogger('info'));
  await app.listen(0, '127.0.0.1');
  return { url: await app.getUrl() };
}

/** What is declared last holds. */
function redeclareListModels(access: 'public' | 'typeorm'): void {
  const { prototype } = ModelsController;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, 'listModels');
  if (descriptor === undefined) throw new Error('ModelsController has no listModels.');
  Public()(prototype, 'listModels', descriptor);
  if (access === 'typeorm') UseGuards(TypeOrmKeyGuard)(prototype, 'listModels', descriptor);
}

answerQuestions(start);
