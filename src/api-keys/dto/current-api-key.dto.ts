import { ApiProperty, ApiSchema, OmitType } from '@nestjs/swagger';
import { timeProperty } from '../../common/http/api-resource.js';
import { decimalPattern } from '../../common/money/decimal.js';
import { hintProperty, nameProperty } from './api-key-properties.js';
import { ShownKeyRestrictionsDto } from './key-restrictions.dto.js';

@ApiSchema({ name: 'MonthCost', description: 'What an API key has cost in a month.' })
export class MonthCostDto {
  @ApiProperty({
    description: 'Currency of the models file, as an ISO 4217 code.',
    example: 'USD',
    pattern: '^[A-Z]{3}$',
  })
  currency: string;

  @ApiProperty({
    description: "The current month, in the organization's time zone.",
    example: '2026-01',
    pattern: String.raw`^\d{4}-\d{2}$`,
  })
  month: string;

  @ApiProperty({
    description: 'Cost of all requests that have a price, at the prices when they were made. An exact decimal.',
    example: '1.25',
    pattern: decimalPattern,
  })
  amount: string;
}

@ApiSchema({ name: 'CurrentApiKey', description: 'The API key of a request, for its holder.' })
export class CurrentApiKeyDto extends OmitType(ShownKeyRestrictionsDto, ['note']) {
  @ApiProperty({ ...nameProperty, description: 'Name of the API key.' })
  name: string;

  @ApiProperty({ ...hintProperty, description: 'First characters of the key you sent.' })
  hint: string;

  @ApiProperty({
    ...timeProperty('When the key you sent stops working, because it expires or was rotated; null if it never does'),
    type: String,
    nullable: true,
    example: '2027-01-31T09:30:00.000Z',
  })
  expiresAt: string | null;

  @ApiProperty({
    type: MonthCostDto,
    nullable: true,
    description: 'What the key has cost this month; null without prices.',
  })
  cost: MonthCostDto | null;
}
