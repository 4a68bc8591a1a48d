import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { type AuditAction, type AuditTargetKind, auditTargetKinds } from '../audit-actions.js';
import { actions, largestLimit } from './audit-events-query.dto.js';

const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

@ApiSchema({ name: 'AuditActor', description: 'Who did it.' })
export class AuditActorDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Identifier of the user, who may have left by now; null when the account is not known.',
    example: exampleId,
    format: 'uuid',
  })
  id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Email at the time of the event.',
    example: 'ada@example.com',
    minLength: 1,
  })
  email: string | null;
}

@ApiSchema({ name: 'AuditTarget', description: 'What it was done to, as it was called at the time.' })
export class AuditTargetDto {
  @ApiProperty({ description: 'What it is.', enum: auditTargetKinds, example: 'api-key' })
  kind: AuditTargetKind;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Its identifier; it may be gone by now.',
    example: exampleId,
    format: 'uuid',
  })
  id: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Its name.', example: 'Search indexer', minLength: 0 })
  name: string | null;

  @ApiPropertyOptional({ description: 'Of keys: their first characters.', example: 'kc_4fT9q', minLength: 1 })
  hint?: string;
}

@ApiSchema({ name: 'AuditEvent', description: 'What somebody did. It never changes.' })
export class AuditEventDto {
  @ApiProperty({ description: 'Identifier of the event.', example: exampleId, format: 'uuid' })
  id: string;

  @ApiProperty({
    description: 'When it happened, by the clock of the database (ISO 8601, UTC, milliseconds).',
    example: '2026-01-31T09:30:00.123Z',
    format: 'date-time',
  })
  occurredAt: string;

  @ApiProperty({ description: 'Who did it.' })
  actor: AuditActorDto;

  @ApiProperty({ description: 'IP address that the request came from.', example: '203.0.113.7', minLength: 1 })
  address: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What the client called itself in `User-Agent`.',
    example: 'curl/8.5.0',
    maxLength: 512,
  })
  userAgent: string | null;

  @ApiProperty({ description: 'What was done.', enum: actions, example: 'api-key.update' })
  action: AuditAction;

  @ApiProperty({ description: 'What it was done to.' })
  target: AuditTargetDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The fields that were changed, as they were before; never a secret.',
    example: { name: 'Search' },
  })
  before: Record<string, unknown> | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The same fields as they were from then on.',
    example: { name: 'Search indexer' },
  })
  after: Record<string, unknown> | null;
}

@ApiSchema({ name: 'AuditEventList', description: 'One page of the audit log.' })
export class AuditEventListDto {
  @ApiProperty({ type: [AuditEventDto], description: 'The events, newest first.', maxItems: largestLimit })
  auditEvents: AuditEventDto[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Send it as `cursor` to read what is older; null on the last page.',
    example: exampleId,
    minLength: 1,
    maxLength: 100,
  })
  nextCursor: string | null;
}
