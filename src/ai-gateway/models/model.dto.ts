import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type Task, taskDefinitions, taskRoutes, tasks } from '../../common/rules/tasks.js';
import type { Model } from './model.js';

/** The capabilities in Mistral's API, which has none for embeddings. */
const noCapabilities = {
  completion_chat: false,
  completion_fim: false,
  function_calling: false,
  fine_tuning: false,
  vision: false,
  ocr: false,
  classification: false,
};

@ApiSchema({ name: 'Model', description: 'A model.' })
export class ModelDto {
  @ApiProperty({
    description: 'Id or alias of the model, for `model` in requests.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
  })
  id: string;

  @ApiProperty({ description: 'Always `model`.', enum: ['model'], example: 'model' })
  object: 'model';

  @ApiProperty({
    type: 'integer',
    description: 'Publication time in Unix seconds.',
    example: 1_522_281_600,
    minimum: 0,
  })
  created: number;

  @ApiProperty({ description: 'Owner of the model.', example: 'keycard', minLength: 1 })
  owned_by: string;

  @ApiProperty({ description: "Always `base`. Required by Mistral's clients.", enum: ['base'], example: 'base' })
  type: 'base';

  @ApiProperty({
    type: 'object',
    description: "Capabilities in Mistral's format. Only `ocr` can be true.",
    properties: Object.fromEntries(Object.keys(noCapabilities).map((name) => [name, { type: 'boolean' }])),
    required: Object.keys(noCapabilities),
    selfRequired: true,
    additionalProperties: false,
    example: noCapabilities,
  })
  capabilities: typeof noCapabilities;

  @ApiProperty({
    description: `Route of the model: ${taskRoutes}. Keycard extension.`,
    enum: tasks,
    example: 'embeddings',
  })
  task: Task;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', pattern: '^[a-z]{2}$' },
    minItems: 1,
    nullable: true,
    description:
      'Languages that the model was trained for, as ISO 639-1 codes; null if unknown. Other languages get vectors too, but meaningless ones. Keycard extension.',
    example: ['en'],
  })
  languages: readonly string[] | null;
}

@ApiSchema({ name: 'ModelList', description: 'The available models.' })
export class ModelListDto {
  @ApiProperty({ description: 'Always `list`.', enum: ['list'], example: 'list' })
  object: 'list';

  @ApiProperty({ type: [ModelDto], description: 'The models.', minItems: 0 })
  data: ModelDto[];
}

/** @param name id or alias */
export function toModelDto(name: string, { createdSeconds, ownedBy, task, languages }: Model): ModelDto {
  const { capability } = taskDefinitions[task];
  return {
    id: name,
    object: 'model',
    created: createdSeconds,
    owned_by: ownedBy,
    type: 'base',
    capabilities: { ...noCapabilities, ...(capability !== undefined && { [capability]: true }) },
    task,
    languages: languages ?? null,
  };
}
