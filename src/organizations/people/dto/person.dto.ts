import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@nestjs/swagger';
import { idProperty, timeProperty } from '../../../common/http/api-resource.js';
import { maxEmailLength } from '../../../common/rules/email-address.js';
import { HasCodePoints, OptionalField } from '../../../common/validation/field-decorators.js';
import { PageQueryDto, PagingDto } from '../../../common/validation/paging.dto.js';
import { MemberDto } from '../../members/dto/member.dto.js';
import { type Departure, departures, type Remover, removerKinds } from '../departures.js';

/** How many sessions a response lists. */
export const maxPersonSessions = 100;

const emailProperty = { example: 'ada@example.com', minLength: 3, maxLength: maxEmailLength };
const nameProperty = { example: 'Ada Lovelace', minLength: 1 };

export class ListFormerMembersQueryDto extends PageQueryDto {
  @ApiPropertyOptional({
    description: 'Only former members whose name or email contains this text, case-insensitive.',
    minLength: 0,
    maxLength: maxEmailLength,
  })
  @OptionalField()
  @HasCodePoints(0, maxEmailLength)
  search?: string;
}

@ApiSchema({ name: 'MemberRemover', description: 'Who removed a member.' })
export class MemberRemoverDto implements Remover {
  @ApiProperty({
    description: 'What it is. `operator` is the command line, which also deletes accounts.',
    enum: removerKinds,
    example: 'user',
  })
  kind: Remover['kind'];

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'Id of the user or service account, which may be gone since; null for others.',
    example: '01936f5c-91f7-7e0a-a0a3-4b8b8a4c1d22',
  })
  id: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of the user or service account, or the email of a user whose name is unknown; null for others.',
    example: 'Grace Hopper',
    minLength: 1,
  })
  name: string | null;
}

@ApiSchema({
  name: 'FormerMember',
  description: 'A person who left the organization or was removed, as they were at the time.',
})
export class FormerMemberDto {
  @ApiProperty(idProperty('user'))
  userId: string;

  @ApiProperty({ ...emailProperty, description: 'Email of the user.' })
  email: string;

  @ApiProperty({ ...nameProperty, description: 'Name of the user.' })
  name: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Name of their last role; null if it is unknown.',
    example: 'Key manager',
    minLength: 1,
  })
  role: string | null;

  @ApiProperty({
    ...timeProperty('When the user became a member; null if it is unknown'),
    type: String,
    nullable: true,
  })
  joinedAt: string | null;

  @ApiProperty(timeProperty('When the membership ended'))
  removedAt: string;

  @ApiProperty({
    nullable: true,
    enum: departures,
    description:
      'Whether the person `left`, or was `removed`: by a member, by the identity provider or with their account. Null if the audit log no longer has the event.',
    example: 'removed',
  })
  departure: Departure | null;

  @ApiPropertyOptional({
    type: MemberRemoverDto,
    nullable: true,
    description:
      'Who removed them. Null if they left, or `departure` is null. Absent without the permission `get-audit-events`.',
  })
  removedBy?: MemberRemoverDto | null;
}

@ApiSchema({ name: 'FormerMemberList', description: 'One page of former members.' })
export class FormerMemberListDto extends PagingDto {
  @ApiProperty({
    type: [FormerMemberDto],
    description: 'Former members on this page, removed last first.',
    maxItems: 100,
  })
  formerMembers: FormerMemberDto[];
}

@ApiSchema({ name: 'Person', description: 'A current or former member of the organization.' })
export class PersonDto {
  @ApiProperty(idProperty('user'))
  id: string;

  @ApiProperty({ ...nameProperty, description: 'Name of the user; of former members, when they left.' })
  name: string;

  @ApiProperty({ ...emailProperty, description: 'Email of the user.' })
  email: string;

  @ApiPropertyOptional({ description: 'The membership; absent for a former member.' })
  member?: MemberDto;

  @ApiPropertyOptional({ description: 'The membership that ended; absent for a member.' })
  formerMember?: FormerMemberDto;
}

@ApiSchema({ name: 'PersonSession', description: 'A browser or client in which a member is signed in.' })
export class PersonSessionDto {
  @ApiProperty(idProperty('session'))
  id: string;

  @ApiProperty(timeProperty('When the user signed in'))
  createdAt: string;

  @ApiProperty(timeProperty('When the session was opened or last refreshed'))
  lastUsedAt: string;

  @ApiProperty({
    description: 'IP address of the sign-in or last refresh; `unknown` if a proxy forwarded something else.',
    example: '203.0.113.7',
    minLength: 1,
  })
  address: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: '`User-Agent` of the sign-in or last refresh.',
    example: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    maxLength: 512,
  })
  userAgent: string | null;
}

@ApiSchema({ name: 'PersonSessionList', description: 'Sessions of a member in this organization.' })
export class PersonSessionListDto {
  @ApiProperty({
    type: [PersonSessionDto],
    description: 'The sessions, most recently used first.',
    maxItems: maxPersonSessions,
  })
  sessions: PersonSessionDto[];
}
