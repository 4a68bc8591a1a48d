import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, IsTimeZone, Max, Min } from 'class-validator';
import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { type OnLeak, onLeakPolicies } from '../../common/rules/leak-rules.js';
import { IsName, IsOneOf, OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { type LimitDto, LimitsField, type LimitStateDto, LimitStatesField } from '../../limits/dto/limit.dto.js';
import { maxKeyLifetimeDays } from '../organization.entity.js';
import { RoleReferenceDto } from './role-reference.dto.js';

const nameProperty = {
  description: 'Name of the organization; not unique. Leading and trailing spaces are trimmed.',
  example: 'Research',
  minLength: 2,
  maxLength: 100,
};

const keyLifetimeProperty = {
  type: 'integer',
  nullable: true,
  description:
    'Maximum lifetime of new API keys, in days of 24 hours. With a limit, keys require an `expiresAt` within it; existing keys are not affected. Null means no limit.',
  example: 90,
  minimum: 1,
  maximum: maxKeyLifetimeDays,
} as const;

const timeZoneProperty = {
  description:
    'IANA time zone, in which the days, weeks and months of limits begin. A change keeps what was charged in the current period; the next one begins in the new time zone.',
  example: 'Europe/Berlin',
  minLength: 1,
};

const onLeakProperty = {
  description:
    'What happens to an API key that is reported as leaked. `disable` disables it, `delete` deletes it. If only the secret from before the last rotation leaked, both revoke that secret. `notify` changes nothing.',
  enum: onLeakPolicies,
  example: 'disable',
};

const keyLifetimeMessage = `$property must be a whole number of days from 1 to ${maxKeyLifetimeDays}, or null`;

@ApiSchema({ name: 'CreateOrganization', description: 'New organization settings.' })
export class CreateOrganizationDto {
  @ApiProperty(nameProperty)
  @Trimmed()
  @IsName()
  name: string;
}

@ApiSchema({ name: 'UpdateOrganization', description: 'Settings to change. Omitted fields stay the same.' })
export class UpdateOrganizationDto {
  @ApiProperty({ ...nameProperty, required: false })
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiProperty({ ...keyLifetimeProperty, required: false })
  @OptionalField({ nullable: true })
  @IsInt({ message: keyLifetimeMessage })
  @Min(1, { message: keyLifetimeMessage })
  @Max(maxKeyLifetimeDays, { message: keyLifetimeMessage })
  longestKeyLifetimeDays?: number | null;

  @ApiProperty({ ...timeZoneProperty, required: false })
  @OptionalField()
  @IsTimeZone({ message: '$property must be an IANA time zone, such as Europe/Berlin' })
  timeZone?: string;

  @ApiProperty({ ...onLeakProperty, required: false })
  @OptionalField()
  @IsOneOf(onLeakPolicies)
  onLeak?: OnLeak;

  @LimitsField('How much all keys of the organization together may use.')
  limits?: LimitDto[];
}

@ApiSchema({ name: 'Organization', description: 'An organization and its settings.' })
export class OrganizationDto {
  @ApiProperty(idProperty('organization'))
  id: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Research', minLength: 1 })
  name: string;

  @ApiProperty(keyLifetimeProperty)
  longestKeyLifetimeDays: number | null;

  @ApiProperty(timeZoneProperty)
  timeZone: string;

  @ApiProperty(onLeakProperty)
  onLeak: OnLeak;

  @ApiProperty(timeProperty('When the organization was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When the settings were last changed'))
  updatedAt: string;
}

@ApiSchema({ name: 'OrganizationDetails', description: 'An organization, its settings and its limits.' })
export class OrganizationDetailsDto extends OrganizationDto {
  @LimitStatesField()
  limits: LimitStateDto[];
}

@ApiSchema({ name: 'MyOrganization', description: 'An organization of the signed-in user.' })
export class MyOrganizationDto extends OrganizationDto {
  /** The user's role in the organization. */
  role: RoleReferenceDto;
}

@ApiSchema({ name: 'MyOrganizationList', description: 'The organizations of the signed-in user.' })
export class MyOrganizationListDto {
  @ApiProperty({
    type: [MyOrganizationDto],
    description: 'Organizations of the user, in the order of joining.',
    minItems: 1,
  })
  organizations: MyOrganizationDto[];
}
