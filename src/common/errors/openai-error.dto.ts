import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type ErrorDefinition, errorCatalogue } from './error-catalogue.js';

const faces = Object.values<ErrorDefinition>(errorCatalogue).map(({ openAi }) => openAi);
const distinct = <Value>(values: Value[]) => [...new Set(values)];

@ApiSchema({ name: 'OpenAiErrorDetail', description: 'What went wrong.' })
export class OpenAiErrorDetailDto {
  @ApiProperty({
    description: 'What went wrong this time.',
    example: "The model 'gpt-9' does not exist.",
    minLength: 1,
  })
  message: string;

  @ApiProperty({
    description: '`invalid_request_error` for 4xx, `rate_limit_error` for 429, `server_error` for 5xx.',
    enum: distinct(faces.map(({ type }) => type)),
    example: 'invalid_request_error',
  })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The parameter at fault.',
    example: 'model',
    minLength: 1,
  })
  param: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The kind of error for programs; null where the status says it all.',
    enum: distinct(faces.map(({ code }) => code)),
    example: 'model_not_found',
  })
  code: string | null;
}

@ApiSchema({ name: 'OpenAiError', description: "An error of an AI route, in OpenAI's envelope." })
export class OpenAiErrorDto {
  @ApiProperty({ description: 'What went wrong.' })
  error: OpenAiErrorDetailDto;
}
