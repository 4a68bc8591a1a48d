import type { OpenAPIObject } from '@nestjs/swagger';
import { modelRoutes } from '../models/model-routes.js';
import type { RouteGroup } from '../route-group.js';
import { authorizeTask } from './authorize/authorize.task.js';
import { embeddingsTask } from './embeddings/embeddings.task.js';
import { generationTask } from './generation/generation.task.js';
import { ocrTask } from './ocr/ocr.task.js';

/** All routes under `/v1`, in the order of the OpenAPI document. No other file names all tasks. */
export const routeGroups: readonly RouteGroup[] = [authorizeTask, modelRoutes, generationTask, embeddingsTask, ocrTask];

/** OpenAPI of all routes under `/v1`. Nest doesn't register them; a test compares the operations with the routes. */
export function describeGateway(): OpenAPIObject['paths'] {
  return Object.assign({}, ...routeGroups.map(({ paths }) => paths())) as OpenAPIObject['paths'];
}
