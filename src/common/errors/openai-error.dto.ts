import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type ErrorDefinition, errorCatalog } from './error-catalog.js';

const formats = Object.values<ErrorDefinition>(errorCatalog).map(({ openAi }) => openAi);
const distinct = <Value>(values: Value[]) => [...new Set(values)];

@ApiSchema({ name: 'OpenAiErrorDetail', description: 'Details of an error.' })
class OpenAiErrorDetailDto {
  @ApiProperty({
    description: 'What went wrong and how to fix it.',
    example: "The model 'gpt-9' does not exist.",
    minLength: 1,
  })
  message: string;

  @ApiProperty({
    description: '`invalid_request_error` for 4xx, `rate_limit_error` for 429, `server_error` for 5xx.',
    enum: distinct(formats.map(({ type }) => type)),
    example: 'invalid_request_error',
  })
  type: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The invalid parameter.',
    example: 'model',
    minLength: 1,
  })
  param: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Kind of error; null if the status is specific enough.',
    enum: distinct(formats.map(({ code }) => code)),
    example: 'model_not_found',
  })
  code: string | null;
}

@ApiSchema({
  name: 'OpenAiError',
  description: "An error of an AI route, in OpenAI's format (`error`) and Mistral's (the other fields).",
})
export class OpenAiErrorDto extends OpenAiErrorDetailDto {
  @ApiProperty({ description: 'Details of the error.' })
  error: OpenAiErrorDetailDto;

  @ApiProperty({ description: 'Always `error`.', enum: ['error'], example: 'error' })
  object: 'error';
}
