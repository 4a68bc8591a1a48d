import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { maxEmailLength } from '../../common/rules/email-address.js';
import { HasCodePoints, OptionalField } from '../../common/validation/field-decorators.js';
import { type AuditAccountKind, auditAccountKinds } from '../audit-actions.js';

/** How many actors a search returns. */
export const maxActors = 20;

const exampleId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';

export class AuditActorsQueryDto {
  @ApiPropertyOptional({
    description:
      'Part of a name or email, case-insensitive, or an id. Names of people are only searched with the permission `get-members`.',
    minLength: 0,
    maxLength: maxEmailLength,
  })
  @OptionalField()
  @HasCodePoints(0, maxEmailLength)
  search?: string;
}

@ApiSchema({ name: 'FoundAuditActor', description: 'A person or service account with events in the audit log.' })
export class FoundAuditActorDto {
  @ApiProperty({ description: 'Kind of actor.', enum: auditAccountKinds, example: 'user' })
  kind: AuditAccountKind;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Id of the user or service account, which may have been removed since; null if the account is unknown.',
    example: exampleId,
    format: 'uuid',
  })
  id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Email of a user in the events; null for service accounts.',
    example: 'ada@example.com',
    minLength: 1,
  })
  email: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Name of a service account, or of a user; of a former member, when they left. Null for users who never were members, and for all users without the permission `get-members`.',
    example: 'Ada Lovelace',
    minLength: 1,
  })
  name: string | null;
}

@ApiSchema({ name: 'AuditActorList', description: 'Actors in the audit log.' })
export class AuditActorListDto {
  @ApiProperty({ type: [FoundAuditActorDto], description: 'Actors, sorted by name or email.', maxItems: maxActors })
  actors: FoundAuditActorDto[];
}
