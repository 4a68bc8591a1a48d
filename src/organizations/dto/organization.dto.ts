import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { IsName, OptionalField, Trimmed } from '../../common/validation/field-decorators.js';
import { largestKeyLifetimeDays } from '../organization.entity.js';
import { RoleReferenceDto } from './role-reference.dto.js';

const nameProperty = {
  description: 'Name of the organization. Spaces around it are removed; it need not be unique.',
  example: 'Research',
  minLength: 2,
  maxLength: 100,
};

const keyLifetimeProperty = {
  type: 'integer',
  nullable: true,
  description:
    'How long new keys may live, in days of 24 hours; each must then be created with an `expiresAt`. Null: as long as they like. Keys that are there stay as they are.',
  example: 90,
  minimum: 1,
  maximum: largestKeyLifetimeDays,
} as const;

const keyLifetimeMessage = `$property must be a whole number of days from 1 to ${largestKeyLifetimeDays}, or null`;

@ApiSchema({ name: 'CreateOrganization', description: 'What is chosen of a new organization.' })
export class CreateOrganizationDto {
  @ApiProperty(nameProperty)
  @Trimmed()
  @IsName()
  name: string;
}

@ApiSchema({ name: 'UpdateOrganization', description: 'The settings to change; what is left out stays.' })
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
  @Max(largestKeyLifetimeDays, { message: keyLifetimeMessage })
  longestKeyLifetimeDays?: number | null;
}

@ApiSchema({ name: 'Organization', description: 'An organization and its settings.' })
export class OrganizationDto {
  @ApiProperty(idProperty('organization'))
  id: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Research', minLength: 1 })
  name: string;

  @ApiProperty(keyLifetimeProperty)
  longestKeyLifetimeDays: number | null;

  @ApiProperty(timeProperty('When the organization was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When its settings were last changed'))
  updatedAt: string;
}

@ApiSchema({ name: 'MyOrganization', description: 'An organization of the signed-in user.' })
export class MyOrganizationDto extends OrganizationDto {
  /** The role of the user there. */
  role: RoleReferenceDto;
}

@ApiSchema({ name: 'MyOrganizationList', description: 'The organizations of the signed-in user.' })
export class MyOrganizationListDto {
  @ApiProperty({
    type: [MyOrganizationDto],
    description: 'Each organization of the user, in the order of joining.',
    minItems: 1,
  })
  organizations: MyOrganizationDto[];
}
