import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import { type GenerationRoute, generationRoutes, type Task, taskRoutes, tasks } from '../../common/rules/tasks.js';
import { type EngineName, engineTasks } from '../../engines/engine-definition.js';
import { type CircuitState, circuitStates } from '../upstreams/upstream-client.js';
import { ModelPriceDto } from './model-price.dto.js';

const engineStates = ['idle', 'ready', 'failed'] as const;

@ApiSchema({ name: 'ModelEngine', description: 'Embedded engine of a model, and its limits.' })
export class ModelEngineDto {
  @ApiProperty({ description: 'Name of the engine.', enum: Object.keys(engineTasks), example: 'tesseract' })
  name: EngineName;

  @ApiProperty({
    description: '`idle` before the first request, `failed` if the engine could not be loaded or run.',
    enum: engineStates,
    example: 'ready',
  })
  state: (typeof engineStates)[number];

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum number of texts per request. Only for embeddings models.',
    example: 2048,
    minimum: 1,
  })
  maxInputs?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum number of tokens per request, over all texts. Only for embeddings models.',
    example: 300_000,
    minimum: 1,
  })
  maxTokens?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum number of tokens per text. Only for embeddings models, once they are loaded.',
    example: 8192,
    minimum: 1,
  })
  maxTokensPerInput?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Length of the vectors. Only for embeddings models, once they are loaded.',
    example: 512,
    minimum: 1,
  })
  dimensions?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum size of a document, decoded from base64. Only for OCR models.',
    example: 52_428_800,
    minimum: 1,
  })
  maxDocumentBytes?: number;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'Maximum number of pages per document. Only for OCR models.',
    example: 1000,
    minimum: 1,
  })
  maxDocumentPages?: number;
}

@ApiSchema({ name: 'UpstreamError', description: 'Failure of an upstream.' })
export class UpstreamErrorDto {
  @ApiProperty(timeProperty('When it happened'))
  at: string;

  @ApiProperty({ description: 'What the upstream did.', example: 'responded 503', minLength: 1 })
  reason: string;
}

@ApiSchema({
  name: 'ModelUpstream',
  description: 'Upstream that serves a model, and its health as seen by the replica that sent this response.',
})
export class ModelUpstreamDto {
  @ApiProperty({
    description: 'Host name of the upstream, with its port if it is unusual.',
    example: 'api.openai.com',
    minLength: 1,
  })
  host: string;

  @ApiProperty({
    description: "The upstream's name for the model.",
    example: 'text-embedding-3-small',
    minLength: 1,
  })
  model: string;

  @ApiProperty({ description: 'Share of the requests.', example: 0.75, minimum: 0, maximum: 1 })
  share: number;

  @ApiProperty({
    description:
      '`closed`: gets requests. `open`: gets none for a while, after repeated failures. `half-open`: one request decides.',
    enum: circuitStates,
    example: 'closed',
  })
  circuit: CircuitState;

  @ApiProperty({
    type: Number,
    nullable: true,
    description:
      '95th percentile of the time until the response began, over the last 200 successful responses; null without any.',
    example: 84.213,
    minimum: 0,
  })
  p95Milliseconds: number | null;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'Share of failures among the last 200 requests; null without any.',
    example: 0.015,
    minimum: 0,
    maximum: 1,
  })
  errorShare: number | null;

  @ApiProperty({
    type: UpstreamErrorDto,
    nullable: true,
    description: 'The last failure since the replica started; null without any.',
  })
  lastError: UpstreamErrorDto | null;
}

@ApiSchema({ name: 'ServedModel', description: 'A model, and what serves it: an embedded engine or upstreams.' })
export class ServedModelDto {
  @ApiProperty({
    description: 'Id of the model, for `model` in requests.',
    example: 'text-embedding-3-small',
    minLength: 1,
  })
  id: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Other names of the model.',
    example: ['small'],
    minItems: 0,
  })
  aliases: readonly string[];

  @ApiProperty({
    description: `Route of the model: ${taskRoutes}.`,
    enum: tasks,
    example: 'embeddings',
  })
  task: Task;

  @ApiProperty({ description: 'Owner of the model.', example: 'openai', minLength: 1 })
  ownedBy: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    nullable: true,
    description:
      'Languages of the model, or null if they are unknown: ISO 639-1 codes for embeddings, codes of Tesseract data for the embedded OCR engine.',
    example: ['en'],
  })
  languages: readonly string[] | null;

  @ApiProperty({ type: ModelPriceDto, nullable: true, description: 'Price of the model; null without one.' })
  price: ModelPriceDto | null;

  @ApiProperty({
    type: ModelEngineDto,
    nullable: true,
    description: 'Engine that runs the model; null if upstreams serve it.',
  })
  engine: ModelEngineDto | null;

  @ApiProperty({
    type: [ModelUpstreamDto],
    description: 'Upstreams that serve the model; empty if an engine runs it.',
    minItems: 0,
  })
  upstreams: ModelUpstreamDto[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...generationRoutes] },
    description: 'Routes of a generation model, after `/v1/`; empty for other tasks.',
    example: [],
    minItems: 0,
  })
  routes: readonly GenerationRoute[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Maximum number of output tokens per response of a generation model; null for other tasks.',
    example: null,
    minimum: 1,
  })
  maxOutputTokens: number | null;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description: 'Ids of the models that are tried, in order, if this one fails before its response begins.',
    example: [],
    minItems: 0,
  })
  fallbacks: readonly string[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the model that gets requests too long for this one; null without one.',
    example: null,
    minLength: 1,
  })
  contextFallback: string | null;
}

@ApiSchema({ name: 'ServedModels', description: 'Models and services that API keys can use.' })
export class ServedModelsDto {
  @ApiProperty({ type: [ServedModelDto], description: 'The models, in the order of the models file.', minItems: 1 })
  models: ServedModelDto[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    description:
      'Services that `/v1/authorize` protects, and that keys of your organization may use. `authorize` is the one of requests that name none.',
    example: ['authorize', 'search'],
    minItems: 1,
  })
  services: string[];
}
