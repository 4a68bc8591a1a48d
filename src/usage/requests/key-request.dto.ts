import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import { decimalPattern } from '../../common/money/decimal.js';
import { IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { PageQueryDto, PagingDto } from '../../common/validation/paging.dto.js';
import { MeteredUsage } from '../dto/usage-report.dto.js';
import { type RequestOutcome, requestOutcomes } from './logged-request.js';

export class KeyRequestsQueryDto extends PageQueryDto {
  @ApiPropertyOptional({ description: 'Only requests that ended like this.', enum: requestOutcomes })
  @OptionalField()
  @IsOneOf(requestOutcomes)
  outcome?: RequestOutcome;
}

@ApiSchema({ name: 'ApiKeyRequest', description: 'A request with an API key, without its body and response.' })
export class KeyRequestDto extends MeteredUsage {
  @ApiProperty(timeProperty('When it arrived'))
  occurredAt: string;

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
    type: 'integer',
    description: 'HTTP status code. 499 if the client disconnected before the response began.',
    example: 200,
    minimum: 200,
    maximum: 599,
  })
  status: number;

  @ApiProperty({
    description:
      'How it ended: `failure` has a status of 400 or higher or an incomplete response, and `limited` was rejected by a limit.',
    enum: requestOutcomes,
    example: 'success',
  })
  outcome: RequestOutcome;

  @ApiProperty({
    description: 'Time from the arrival of the request to the end of the response, in milliseconds.',
    example: 12.5,
    minimum: 0,
  })
  milliseconds: number;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Cost, an exact decimal, in the `currency` of `GET /usage`; null without a price.',
    example: '0.000012',
    pattern: decimalPattern,
  })
  cost: string | null;

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

@ApiSchema({ name: 'ApiKeyRequestList', description: 'A page of the latest requests with an API key.' })
export class KeyRequestListDto extends PagingDto {
  @ApiProperty({ type: [KeyRequestDto], description: 'Newest first.', maxItems: 100 })
  requests: KeyRequestDto[];
}
