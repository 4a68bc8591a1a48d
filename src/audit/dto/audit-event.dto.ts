import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { maxRequestIdLength } from '../../common/rules/text-rules.js';
import {
  type AuditAction,
  auditActionEnum,
  type AuditActorKind,
  auditActorKinds,
  type AuditTargetKind,
  auditTargetKindEnum,
} from '../audit-actions.js';
import { maxLimit } from './audit-events-query.dto.js';

const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

@ApiSchema({ name: 'AuditActor', description: 'Who performed the action.' })
class AuditActorDto {
  @ApiProperty({
    description:
      'Kind of actor. `user` includes unknown accounts and the operator on the command line; `system` is the service itself.',
    enum: auditActorKinds,
    example: 'user',
  })
  kind: AuditActorKind;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Id of the user or service account, which may have been removed since; null if the account is unknown, and for the service itself.',
    example: exampleId,
    format: 'uuid',
  })
  id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Email of a user at the time of the event.',
    example: 'ada@example.com',
    minLength: 1,
  })
  email: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of a service account at the time of the event; null for other actors.',
    example: null,
    minLength: 1,
  })
  name: string | null;
}

@ApiSchema({ name: 'AuditTarget', description: 'The affected resource, with its name at the time.' })
class AuditTargetDto {
  @ApiProperty({ description: 'Kind of resource.', ...auditTargetKindEnum, example: 'api-key' })
  kind: AuditTargetKind;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Id of the resource, which may have been deleted since.',
    example: exampleId,
    format: 'uuid',
  })
  id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the resource.',
    example: 'Search indexer',
    minLength: 0,
  })
  name: string | null;

  @ApiPropertyOptional({
    description: 'First characters of an API key or a client secret.',
    example: 'kc_4fT9q',
    minLength: 1,
  })
  hint?: string;
}

@ApiSchema({ name: 'AuditEvent', description: 'An audit event. Events never change.' })
export class AuditEventDto {
  @ApiProperty(idProperty('event'))
  id: string;

  @ApiProperty(timeProperty("When it happened, by the database's clock"))
  occurredAt: string;

  @ApiProperty({ description: 'Who performed the action.' })
  actor: AuditActorDto;

  @ApiProperty({
    description:
      'IP address of the client; `unknown` if a proxy forwarded something else, and `service` for events of the service itself.',
    example: '203.0.113.7',
    minLength: 1,
  })
  address: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`User-Agent` of the client.',
    example: 'curl/8.5.0',
    maxLength: 512,
  })
  userAgent: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Request that caused it, as in the `x-request-id` response header. Null for events of the service itself and of the operator, and for those of earlier releases.',
    example: '0b5b1f4c-5a0e-4c53-9a55-0e5a1c2e8a4f',
    minLength: 1,
    maxLength: maxRequestIdLength,
  })
  requestId: string | null;

  @ApiProperty({ description: 'Action.', ...auditActionEnum, example: 'api-key.update' })
  action: AuditAction;

  @ApiProperty({ description: 'The affected resource.' })
  target: AuditTargetDto;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Previous values of the changed fields. Never includes secrets.',
    example: { name: 'Search' },
  })
  before: Record<string, unknown> | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'New values of the same fields.',
    example: { name: 'Search indexer' },
  })
  after: Record<string, unknown> | null;
}

@ApiSchema({ name: 'AuditPerson', description: 'The name of a current or former member in audit events.' })
export class AuditPersonDto {
  @ApiProperty(idProperty('user'))
  id: string;

  @ApiProperty({ description: 'Email in the events.', example: 'ada@example.com', minLength: 1 })
  email: string;

  @ApiProperty({
    description: 'Current name of a member, or that of a former member when they left.',
    example: 'Ada Lovelace',
    minLength: 1,
  })
  name: string;
}

@ApiSchema({ name: 'AuditEventList', description: 'A page of the audit log.' })
export class AuditEventListDto {
  @ApiProperty({ type: [AuditEventDto], description: 'Events, newest first.', maxItems: maxLimit })
  auditEvents: AuditEventDto[];

  @ApiProperty({
    type: [AuditPersonDto],
    description:
      'Names of the people whose emails the events have, of current and former members. Empty without the permission `get-members`.',
    // An actor and a target for each event.
    maxItems: 2 * maxLimit,
  })
  people: AuditPersonDto[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`cursor` of the next page; null on the last page.',
    example: exampleId,
    minLength: 1,
    maxLength: 100,
  })
  nextCursor: string | null;
}
