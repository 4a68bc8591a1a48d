import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { AuditPersonDto } from '../../audit/dto/audit-event.dto.js';
import { LatestChangeDto } from '../../audit/dto/latest-change.dto.js';
import { timeProperty } from '../../common/http/api-resource.js';
import { decimalPattern } from '../../common/money/decimal.js';
import { type LimitStateDto, LimitStatesField } from '../../limits/dto/limit.dto.js';
import { AttentionDto, attentionKinds } from './attention.dto.js';
import { FirstStepDto, firstSteps } from './first-step.dto.js';
import { PreviousMonthDto, RecentUsageDto } from './recent-usage.dto.js';

/** How many changes an overview has. */
export const maxChanges = 6;

@ApiSchema({
  name: 'Overview',
  description: 'The state of an organization. Parts that need a permission the caller lacks are absent.',
})
export class OverviewDto {
  @ApiProperty(timeProperty("When this was read, by the service's clock"))
  at: string;

  @ApiProperty({
    description: "The organization's time zone, in which days and months begin.",
    example: 'Europe/Berlin',
    minLength: 1,
  })
  timeZone: string;

  @ApiProperty({ description: 'Currency of costs (ISO 4217).', example: 'USD', pattern: '^[A-Z]{3}$' })
  currency: string;

  @ApiPropertyOptional({ description: 'Usage today, by hour. Needs `get-usage`.' })
  today?: RecentUsageDto;

  @ApiPropertyOptional({ description: 'Usage in the current month, by day. Needs `get-usage`.' })
  month?: RecentUsageDto;

  @ApiPropertyOptional({
    description:
      'Usage in the same part of the previous month, as `GET /usage` has it. Absent if some of it is deleted already. Needs `get-usage`.',
  })
  previousMonth?: PreviousMonthDto;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'What the current month will probably cost: the cost so far, and for each remaining day the average of its weekday in the last four weeks. With less than a week of costs, the month so far is continued; null without costs, or before 5% of the month have passed. An exact decimal with up to nine decimals. Needs `get-usage`.',
    example: '31.2',
    pattern: decimalPattern,
  })
  costForecast?: string | null;

  @LimitStatesField()
  limits: LimitStateDto[];

  @ApiProperty({
    type: [AttentionDto],
    description:
      'What may need attention, one entry per kind, most urgent first. Keys need `get-api-keys`, webhooks `get-webhooks`, and members `get-members`.',
    minItems: 0,
    maxItems: attentionKinds.length,
  })
  attention: AttentionDto[];

  @ApiPropertyOptional(
    timeProperty(
      'When the keys in `attention` were read. With many keys, up to a minute before `at`, unless a key was changed, or a member or service account was removed, since. Needs `get-api-keys`.',
    ),
  )
  keysReadAt?: string;

  @ApiPropertyOptional({
    type: [LatestChangeDto],
    description:
      'The latest audit events that changed something, newest first. Events of one kind that one request caused are grouped. Needs `get-audit-events`.',
    minItems: 0,
    maxItems: maxChanges,
  })
  changes?: LatestChangeDto[];

  @ApiPropertyOptional({
    type: [AuditPersonDto],
    description: 'Names of the people in `changes`. Absent with them, and empty without the permission `get-members`.',
    minItems: 0,
    // An actor and a target for each event.
    maxItems: 2 * maxChanges,
  })
  people?: AuditPersonDto[];

  @ApiPropertyOptional({
    type: [FirstStepDto],
    description:
      'Checklist of an organization in its first 30 days, in order. Absent once all steps are done. Leaves out steps whose state the caller may not see.',
    minItems: 1,
    maxItems: firstSteps.length,
  })
  firstSteps?: FirstStepDto[];
}
