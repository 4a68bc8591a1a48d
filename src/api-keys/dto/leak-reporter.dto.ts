import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { type AuditAccountKind, auditAccountKinds } from '../../audit/audit-actions.js';
import { idProperty } from '../../common/http/api-resource.js';

@ApiSchema({ name: 'ApiKeyLeakReporter', description: 'The member or service account that reported a leak.' })
export class LeakReporterDto {
  @ApiProperty({ description: 'Who reported it.', enum: auditAccountKinds, example: 'user' })
  kind: AuditAccountKind;

  @ApiProperty(idProperty('user or service account'))
  id: string;

  @ApiProperty({
    description: 'Their name; of a former member, when they left, and of a service account, at the time.',
    example: 'Ada Lovelace',
    minLength: 1,
  })
  name: string;
}
