import { ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { AuditEventDto } from './audit-event.dto.js';

@ApiSchema({
  name: 'LatestChange',
  description:
    'An audit event, or the latest of several of one kind that an actor caused within a minute of each other.',
})
export class LatestChangeDto extends AuditEventDto {
  @ApiPropertyOptional({
    description:
      'How many resources the events affected, such as 15 deleted keys, or of `webhook.redeliver`, how many events there are. Absent for a single event. Only the latest 1,000 events of the organization are counted.',
    example: 15,
    minimum: 1,
  })
  count?: number;
}
