import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty } from '../http/api-resource.js';
import { errorCatalog } from './error-catalog.js';

const codes = Object.keys(errorCatalog);

@ApiSchema({ name: 'FieldError', description: 'A problem with one field of the request.' })
class FieldErrorDto {
  @ApiProperty({ description: 'Field or query parameter.', example: 'name', minLength: 1 })
  field: string;

  @ApiProperty({ description: 'What is allowed.', example: 'name must have 2 to 100 characters.', minLength: 1 })
  message: string;
}

@ApiSchema({ name: 'Problem', description: 'An error of a management route (RFC 9457).' })
export class ProblemDto {
  @ApiProperty({
    description: '`urn:keycard:error:` followed by `code`.',
    example: 'urn:keycard:error:validation-failed',
    format: 'uri',
    pattern: '^urn:keycard:error:[a-z-]+$',
  })
  type: string;

  @ApiProperty({
    description: 'Summary of the kind of error.',
    example: 'Invalid request',
    minLength: 1,
  })
  title: string;

  @ApiProperty({ type: 'integer', description: 'HTTP status code.', example: 400, minimum: 400, maximum: 599 })
  status: number;

  @ApiProperty({
    description: 'What went wrong and how to fix it.',
    example: 'name must have 2 to 100 characters.',
    minLength: 1,
  })
  detail: string;

  @ApiProperty({ description: 'Kind of error.', example: 'validation-failed', enum: codes, enumName: 'ErrorCode' })
  code: string;

  @ApiProperty({
    description: 'Identifies this request in the log. Same as the `x-request-id` header.',
    example: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
    pattern: '^[\\w.:-]{1,128}$',
  })
  requestId: string;

  @ApiPropertyOptional({
    type: [FieldErrorDto],
    description: 'Invalid fields, if the error concerns any.',
    minItems: 1,
  })
  errors?: FieldErrorDto[];

  @ApiPropertyOptional({
    ...idProperty('API key'),
    description: 'For `idempotency-key-reused`: id of the API key that the earlier request created or rotated.',
  })
  apiKeyId?: string;
}
