import { ApiProperty, ApiPropertyOptional, ApiSchema, IntersectionType } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import { decimalPattern } from '../../common/money/decimal.js';
import { IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { PageQueryDto, PagingDto } from '../../common/validation/paging.dto.js';
import { RequestDto, RequestIdQueryDto, statusProperty } from '../dto/request.dto.js';
import { MeteredUsage } from '../dto/usage-report.dto.js';
import { type RequestOutcome, requestOutcomes } from './logged-request.js';

export class KeyRequestsQueryDto extends IntersectionType(PageQueryDto, RequestIdQueryDto) {
  @ApiPropertyOptional({ description: 'Only requests that ended like this.', enum: requestOutcomes })
  @OptionalField()
  @IsOneOf(requestOutcomes)
  outcome?: RequestOutcome;
}

@ApiSchema({ name: 'ApiKeyRequest', description: 'A request with an API key, without its body and response.' })
export class KeyRequestDto extends IntersectionType(RequestDto, MeteredUsage) {
  @ApiProperty(timeProperty('When it arrived'))
  occurredAt: string;

  @ApiProperty({ ...statusProperty, example: 200 })
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
}

@ApiSchema({ name: 'ApiKeyRequestList', description: 'A page of the latest requests with an API key.' })
export class KeyRequestListDto extends PagingDto {
  @ApiProperty({ type: [KeyRequestDto], description: 'Newest first.', maxItems: 100 })
  requests: KeyRequestDto[];
}
