import { ApiProperty, ApiSchema } from '@nestjs/swagger';

@ApiSchema({ name: 'OpenAiErrorDetail', description: 'What went wrong.' })
export class OpenAiErrorDetailDto {
  /**
   * What went wrong this time.
   * @example "The model 'gpt-9' does not exist."
   */
  message: string;

  /**
   * `invalid_request_error` for 4xx, `server_error` for 5xx.
   * @example "invalid_request_error"
   */
  type: string;

  @ApiProperty({ type: String, nullable: true, description: 'The parameter at fault.', example: 'model' })
  param: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The kind of error for programs.',
    example: 'model_not_found',
  })
  code: string | null;
}

@ApiSchema({ name: 'OpenAiError', description: "An error of an AI route, in OpenAI's envelope." })
export class OpenAiErrorDto {
  @ApiProperty({ description: 'What went wrong.' })
  error: OpenAiErrorDetailDto;
}
