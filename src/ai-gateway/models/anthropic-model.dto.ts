import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { Model } from './model.js';

@ApiSchema({ name: 'AnthropicModel', description: "A model, in Anthropic's format." })
export class AnthropicModelDto {
  @ApiProperty({ description: 'Always `model`.', enum: ['model'], example: 'model' })
  type: 'model';

  @ApiProperty({ description: 'Id or alias of the model, for `model` in requests.', example: 'claude', minLength: 1 })
  id: string;

  @ApiProperty({ description: 'The same as `id`.', example: 'claude', minLength: 1 })
  display_name: string;

  @ApiProperty({ description: 'Publication time.', format: 'date-time', example: '2025-09-29T00:00:00Z', minLength: 1 })
  created_at: string;
}

@ApiSchema({ name: 'AnthropicModelList', description: "The available models, in Anthropic's format." })
export class AnthropicModelListDto {
  @ApiProperty({ type: [AnthropicModelDto], description: 'All models, on one page.', minItems: 0 })
  data: AnthropicModelDto[];

  @ApiProperty({ description: 'Always false.', enum: [false], example: false })
  has_more: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the first model.', example: 'claude', minLength: 1 })
  first_id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Id of the last model.', example: 'claude', minLength: 1 })
  last_id: string | null;
}

/** @param name id or alias */
export function toAnthropicModel(name: string, { createdSeconds }: Model): AnthropicModelDto {
  const created_at = new Date(createdSeconds * 1000).toISOString();
  return { type: 'model', id: name, display_name: name, created_at };
}

export function toAnthropicList(data: AnthropicModelDto[]): AnthropicModelListDto {
  return { data, has_more: false, first_id: data[0]?.id ?? null, last_id: data.at(-1)?.id ?? null };
}
