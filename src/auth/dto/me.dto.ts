import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayUnique, IsArray, IsIn } from 'class-validator';
import { maxEmailLength } from '../../common/rules/email-address.js';
import { type OptionalMail, optionalMailKinds } from '../../common/rules/mail-rules.js';
import { nameLength } from '../../common/rules/text-rules.js';
import { IsName, OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { AccessTokenDto } from './sign-in.dto.js';
import { allPermissions, permissionEnum, type Permission } from '../../access/permissions.js';

const mutedMailProperty = {
  enum: optionalMailKinds,
  isArray: true,
  uniqueItems: true,
  maxItems: optionalMailKinds.length,
  example: ['key-expiring'],
};

@ApiSchema({ name: 'CurrentUser', description: 'The signed-in user.' })
class CurrentUserDto {
  @ApiProperty({ description: 'Id of the user.', example: '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f', format: 'uuid' })
  id: string;

  @ApiProperty({
    description: 'Email for signing in.',
    example: 'admin@keycard.local',
    minLength: 3,
    maxLength: maxEmailLength,
  })
  email: string;

  @ApiProperty({ description: 'Name of the user.', example: 'Administrator', minLength: 1 })
  name: string;

  @ApiProperty({
    type: 'string',
    description:
      'When single sign-on removed a password that was set before the email was verified; null if that was more than 30 days ago or never happened.',
    example: '2026-01-31T09:30:00.123Z',
    format: 'date-time',
    nullable: true,
  })
  passwordRemovedAt: string | null;

  @ApiProperty({ ...mutedMailProperty, description: 'Kinds of mail that the user has turned off.' })
  mutedMail: OptionalMail[];
}

@ApiSchema({ name: 'UpdateMe', description: 'Settings of your account to change. Omitted fields stay the same.' })
export class UpdateMeDto {
  @ApiProperty({
    description: 'Your name. Leading and trailing spaces are trimmed.',
    example: 'Ada Lovelace',
    minLength: nameLength.min,
    maxLength: nameLength.max,
    required: false,
  })
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiProperty({
    ...mutedMailProperty,
    description: "Kinds of mail to turn off. Replaces the list. Mail about security can't be turned off.",
    required: false,
  })
  @OptionalField()
  @IsArray({ message: '$property must be a list' })
  @ArrayUnique({ message: '$property must not have duplicates' })
  @IsIn(optionalMailKinds, { each: true, message: `$property must only have ${optionalMailKinds.join(', ')}` })
  mutedMail?: OptionalMail[];
}

@ApiSchema({ name: 'CurrentOrganization', description: 'The organization the token is for.' })
class CurrentOrganizationDto {
  @ApiProperty({
    description: 'Id of the organization.',
    example: '01936f5e-7b1c-7a10-8a2f-1f6f0e2d9c11',
    format: 'uuid',
  })
  id: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Default', minLength: 1 })
  name: string;

  @ApiProperty({
    description: 'IANA name of the time zone in which its days, weeks and months begin.',
    example: 'Europe/Berlin',
    minLength: 1,
  })
  timeZone: string;
}

@ApiSchema({ name: 'CurrentRole', description: "The user's role in the organization." })
class CurrentRoleDto {
  @ApiProperty({ description: 'Id of the role.', example: '01936f5e-7b1c-7d00-9a7b-5a4f1f0c2b7e', format: 'uuid' })
  id: string;

  @ApiProperty({ description: 'Name of the role.', example: 'Owner', minLength: 1 })
  name: string;
}

@ApiSchema({ name: 'Me', description: 'The signed-in user, with organization, role and permissions.' })
export class MeDto {
  /** The signed-in user. */
  user: CurrentUserDto;

  /** The organization the token is for. */
  organization: CurrentOrganizationDto;

  /** The user's role in the organization. */
  role: CurrentRoleDto;

  @ApiProperty({
    description: 'Permissions of the user, including those from additional roles that an identity provider assigns.',
    ...permissionEnum,
    isArray: true,
    uniqueItems: true,
    maxItems: allPermissions.length,
    example: ['create-api-keys', 'get-api-keys'],
  })
  permissions: Permission[];

  @ApiProperty({ description: 'Whether the user may create organizations.', example: true })
  canCreateOrganizations: boolean;
}

@ApiSchema({ name: 'RefreshedSession', description: 'A new access token, and the user it is for.' })
export class RefreshedSessionDto extends AccessTokenDto {
  /** What `GET /auth/me` returns. Saves pages that start with a refresh a request. */
  me: MeDto;
}
