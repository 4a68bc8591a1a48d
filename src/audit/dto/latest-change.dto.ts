import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { AuditEventDto } from './audit-event.dto.js';

@ApiSchema({
  name: 'LatestChange',
  description: 'An audit event, or the latest of several of one kind that an actor caused in one request.',
})
export class LatestChangeDto extends AuditEventDto {
  @ApiPropertyOptional({
    description:
      "Number of affected resources, such as 15 deleted keys; for `webhook.redeliver`, number of events. Absent for a single event. Counts only the organization's latest 1,000 events.",
    example: 15,
    minimum: 1,
  })
  count?: number;
}
