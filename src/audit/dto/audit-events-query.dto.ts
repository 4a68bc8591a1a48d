import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional, IsUUID } from 'class-validator';
import { normalizeEmail } from '../../common/validation/email-address.js';
import { HasCodePoints } from '../../common/validation/field-decorators.js';
import { QueryInstant } from '../../common/validation/instant.js';
import { QueryInteger } from '../../common/validation/paging.dto.js';
import { type AuditAction, auditActions, type AuditTargetKind, auditTargetKinds } from '../audit-actions.js';

export const actions = Object.keys(auditActions) as AuditAction[];
export const largestLimit = 100;
export const defaultLimit = 50;

const formats = ['json', 'csv'] as const;
const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

/** Which events; all of these hold at once. */
export class AuditEventsFilterDto {
  @ApiPropertyOptional({
    description: 'Only what the user with this id did, who may have left by now.',
    example: exampleId,
    format: 'uuid',
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be the id of a user, a UUID' })
  actorId?: string;

  @ApiPropertyOptional({
    description: 'Only events of the actor with this email, case-insensitive.',
    example: 'ada@example.com',
    minLength: 1,
    maxLength: 254,
  })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalizeEmail(value) : value))
  @IsOptional()
  @HasCodePoints(1, 254)
  actorEmail?: string;

  @ApiPropertyOptional({ description: 'Only this action.', enum: actions, example: 'api-key.delete' })
  @IsOptional()
  @IsIn(actions, { message: `$property must be one of ${actions.join(', ')}` })
  action?: AuditAction;

  @ApiPropertyOptional({
    description: 'Only what was done to this kind of thing.',
    enum: auditTargetKinds,
    example: 'role',
  })
  @IsOptional()
  @IsIn(auditTargetKinds, { message: `$property must be one of ${auditTargetKinds.join(', ')}` })
  targetKind?: AuditTargetKind;

  @ApiPropertyOptional({
    description: 'Only what was done to the thing with this id, which may be gone by now.',
    example: exampleId,
    format: 'uuid',
  })
  @IsOptional()
  @IsUUID('all', { message: '$property must be the id of what was changed, a UUID' })
  targetId?: string;

  @QueryInstant({ description: 'Beginning of the period (inclusive).', example: '2026-01-30T00:00:00Z' })
  from?: Date;

  @QueryInstant({ description: 'End of the period (exclusive).', example: '2026-02-01T00:00:00Z' })
  to?: Date;
}

export class AuditEventsQueryDto extends AuditEventsFilterDto {
  @ApiPropertyOptional({
    description: '`json`: one page. `csv`: a file of all events that match.',
    enum: formats,
    default: 'json',
    example: 'json',
  })
  @IsIn(formats, { message: `$property must be one of ${formats.join(', ')}` })
  format: (typeof formats)[number] = 'json';

  @QueryInteger({
    minimum: 1,
    maximum: largestLimit,
    default: defaultLimit,
    description: 'Events per page; not with `format=csv`.',
  })
  @IsOptional()
  limit?: number;

  @ApiPropertyOptional({
    description: 'The `nextCursor` of an earlier answer, to go on from there; not with `format=csv`.',
    example: exampleId,
    minLength: 1,
    maxLength: 100,
  })
  @IsOptional()
  @HasCodePoints(1, 100)
  cursor?: string;
}
