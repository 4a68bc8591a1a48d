import { ApiProperty, ApiSchema } from '@nestjs/swagger';

import { idProperty, timeProperty } from '../../common/http/api-resource.js';
import { HasCodePoints } from '../../common/validation/has-code-points.js';
import { MayBeLeftOut } from '../../common/validation/may-be-left-out.js';
import { Trimmed } from '../../common/validation/trimmed.js';
import { RoleReferenceDto } from './role-reference.dto.js';

const nameProperty = {
  description: 'Name of the organization. Spaces around it are removed; it need not be unique.',
  example: 'Research',
  minLength: 2,
  maxLength: 100,
};

@ApiSchema({ name: 'CreateOrganization', description: 'What is chosen of a new organization.' })
export class CreateOrganizationDto {
  @ApiProperty(nameProperty)
  @Trimmed()
  @HasCodePoints(2, 100)
  name: string;
}

@ApiSchema({ name: 'UpdateOrganization', description: 'The settings to change; what is left out stays.' })
export class UpdateOrganizationDto {
  @ApiProperty({ ...nameProperty, required: false })
  @MayBeLeftOut()
  @Trimmed()
  @HasCodePoints(2, 100)
  name?: string;
}

@ApiSchema({ name: 'Organization', description: 'An organization and its settings.' })
export class OrganizationDto {
  @ApiProperty(idProperty('organization'))
  id: string;

  @ApiProperty({ description: 'Name of the organization.', example: 'Research', minLength: 1 })
  name: string;

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
