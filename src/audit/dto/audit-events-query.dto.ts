import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsUUID } from 'class-validator';
import { maxEmailLength, normalizeEmail } from '../../common/rules/email-address.js';
import { maxRequestIdLength } from '../../common/rules/text-rules.js';
import { HasCodePoints, IsOneOf, OptionalField } from '../../common/validation/field-decorators.js';
import { QueryInstant } from '../../common/validation/instant.js';
import { QueryInteger } from '../../common/validation/paging.dto.js';
import {
  type AuditAction,
  auditActionEnum,
  auditActions,
  type AuditTargetKind,
  auditTargetKindEnum,
  auditTargetKinds,
  operatorEmail,
} from '../audit-actions.js';

const actions = Object.keys(auditActions) as AuditAction[];
export const maxLimit = 100;
export const defaultLimit = 50;
const maxHintLength = 16;

/** Emails are stored in lower case, the operator's description isn't. */
function toActorEmail(text: string): string {
  const email = normalizeEmail(text);
  return email === operatorEmail.toLowerCase() ? operatorEmail : email;
}

/** Filters. Events must match all of them. */
export class AuditEventsFilterDto {
  @ApiPropertyOptional({
    description: 'Only events by the user or service account with this id, including former ones.',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID('all', { message: '$property must be the id of a user or service account, a UUID' })
  actorId?: string;

  @ApiPropertyOptional({
    description: 'Only events by the actor with this email, case-insensitive.',
    minLength: 1,
    maxLength: maxEmailLength,
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? toActorEmail(value) : value))
  @OptionalField()
  @HasCodePoints(1, maxEmailLength)
  actorEmail?: string;

  @ApiPropertyOptional({ description: 'Only events with this action.', ...auditActionEnum })
  @OptionalField()
  @IsOneOf(actions)
  action?: AuditAction;

  @ApiPropertyOptional({
    description: 'Only events that affected this kind of resource.',
    ...auditTargetKindEnum,
  })
  @OptionalField()
  @IsOneOf(auditTargetKinds)
  targetKind?: AuditTargetKind;

  @ApiPropertyOptional({
    description: 'Only events that affected the resource with this id, including deleted ones.',
    format: 'uuid',
  })
  @OptionalField()
  @IsUUID('all', { message: '$property must be the id of a resource, a UUID' })
  targetId?: string;

  @ApiPropertyOptional({
    description:
      'Only events that affected a key or service account whose secret has, or had before a rotation, this hint: its first characters, such as `kc_4fT9q`. Shows what became of a leaked key.',
    minLength: 1,
    maxLength: maxHintLength,
  })
  @OptionalField()
  @HasCodePoints(1, maxHintLength)
  targetHint?: string;

  @ApiPropertyOptional({
    description:
      'Only events that affected the person with this email, case-insensitive: as a member, an invited person or an account.',
    minLength: 1,
    maxLength: maxEmailLength,
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalizeEmail(value) : value))
  @OptionalField()
  @HasCodePoints(1, maxEmailLength)
  targetEmail?: string;

  @ApiPropertyOptional({
    description: 'Only events of the request with exactly this ID, as in the `x-request-id` response header.',
    minLength: 1,
    maxLength: maxRequestIdLength,
  })
  @OptionalField()
  @HasCodePoints(1, maxRequestIdLength)
  requestId?: string;

  @QueryInstant({ description: 'Start of the period (inclusive), such as `2026-01-30T00:00:00Z`.' })
  from?: Date;

  @QueryInstant({ description: 'End of the period (exclusive).' })
  to?: Date;
}

const exportFormats = ['csv', 'jsonl'] as const;

export class AuditEventsExportQueryDto extends AuditEventsFilterDto {
  @ApiPropertyOptional({
    description: '`csv` for spreadsheets, newest first; `jsonl` with proofs, oldest first.',
    enum: exportFormats,
    default: 'csv',
  })
  @OptionalField()
  @IsOneOf(exportFormats)
  format?: (typeof exportFormats)[number];
}

export class AuditEventsQueryDto extends AuditEventsFilterDto {
  @QueryInteger({
    minimum: 1,
    maximum: maxLimit,
    default: defaultLimit,
    description: 'Events per page.',
  })
  @OptionalField()
  limit?: number;

  @ApiPropertyOptional({
    description: '`nextCursor` of the previous page.',
    minLength: 1,
    maxLength: 100,
  })
  @OptionalField()
  @HasCodePoints(1, 100)
  cursor?: string;
}
