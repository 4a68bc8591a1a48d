import fastify from 'fastify';
import { Engines } from '../../src/engines/engines.module.js';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { toModelDto } from '../../src/ai-gateway/models/model.dto.js';
import { ModelCatalogService } from '../../src/ai-gateway/models/model-catalog.service.js';
import { readConfig } from '../../src/config/read-config.js';
import { runTasks } from '../processes/run-tasks.js';
import type { Listening } from './keycard.js';

/** Starts Fastify alone, which returns the service's JSON without checks or logs. */
async function start(): Promise<Listening> {
  const server = fastify();
  const catalog = new ModelCatalogService({ ...readConfig({}), models: defaultModels() }, new Engines());
  const list = () => ({ object: 'list', data: catalog.list().map(({ name, model }) => toModelDto(name, model)) });
  server.get('/v1/models', () => Promise.resolve(list()));
  return { url: await server.listen({ port: 0, host: '127.0.0.1' }) };
}

runTasks(start);
