import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { maxRequestIdLength } from '../../common/rules/text-rules.js';
import { HasCodePoints, OptionalField } from '../../common/validation/field-decorators.js';

/** OpenAPI text of the status of a request. */
export const statusProperty = {
  type: 'integer',
  description: 'HTTP status code. 499 if the client disconnected before the response began.',
  minimum: 200,
  maximum: 599,
} as const;

/** Finds requests by what clients report. */
export class RequestIdQueryDto {
  @ApiPropertyOptional({
    description:
      'Only requests with exactly this ID, as in the `x-request-id` response header. There can be several, because clients can send the same ID again.',
    minLength: 1,
    maxLength: maxRequestIdLength,
  })
  @OptionalField()
  @HasCodePoints(1, maxRequestIdLength)
  requestId?: string;
}

/** What identifies a request, in the latest and in the failed requests of a key. */
export class RequestDto {
  @ApiProperty({ description: 'Method and path pattern.', example: 'POST /v1/embeddings', minLength: 1 })
  route: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Id of the model, or name of the service; null if the request had none, or failed before it was known.',
    example: 'universal-sentence-encoder-lite',
    minLength: 1,
  })
  model: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'IP address of the client; null if unknown.',
    example: '203.0.113.7',
    minLength: 1,
  })
  address: string | null;

  @ApiProperty({
    description: 'Request ID, as in the `x-request-id` response header and the log.',
    example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f',
    minLength: 1,
  })
  requestId: string;
}
