import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { AppError } from './app-error.js';

/** Anthropic's types of errors, by HTTP status. */
const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

@ApiSchema({ name: 'AnthropicErrorDetail', description: 'Details of an error.' })
class AnthropicErrorDetailDto {
  @ApiProperty({
    description: "Kind of error, one of Anthropic's.",
    example: 'invalid_request_error',
    minLength: 1,
  })
  type: string;

  @ApiProperty({
    description: 'What went wrong and how to fix it.',
    example: "The model 'claude-9' does not exist.",
    minLength: 1,
  })
  message: string;
}

@ApiSchema({ name: 'AnthropicError', description: "An error of `/v1/messages`, in Anthropic's format." })
export class AnthropicErrorDto {
  @ApiProperty({ description: 'Always `error`.', enum: ['error'], example: 'error' })
  type: 'error';

  @ApiProperty({ description: 'Details of the error.' })
  error: AnthropicErrorDetailDto;

  @ApiProperty({
    description: 'Id of the request, as in the log.',
    example: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
    minLength: 1,
  })
  request_id: string;
}

/** Formats an error for Anthropic's clients. */
export function toAnthropicError(error: AppError, requestId: string): AnthropicErrorDto {
  const { status, message, reported } = error;
  const type = reported?.type ?? anthropicTypeOf(status);
  return { type: 'error', error: { type, message }, request_id: requestId };
}

/** Anthropic's type of an error. */
export function anthropicTypeOf(status: number): string {
  return types[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error');
}
