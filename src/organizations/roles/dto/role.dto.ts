import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { ArrayUnique, IsIn } from 'class-validator';
import { allPermissions, permissionEnum, type Permission } from '../../../access/permissions.js';
import { idProperty, timeProperty } from '../../../common/http/api-resource.js';
import { IsName, OptionalField, Trimmed } from '../../../common/validation/field-decorators.js';

const nameProperty = {
  description: 'Name of the role, unique in the organization. Leading and trailing spaces are trimmed.',
  example: 'Key manager',
  minLength: 2,
  maxLength: 100,
};

const permissionsProperty = {
  description: 'Permissions of the role. `GET /permissions` describes them.',
  ...permissionEnum,
  isArray: true,
  uniqueItems: true,
  maxItems: allPermissions.length,
  example: ['create-api-keys', 'get-api-keys'],
};

const message = '$property must be a list of permissions, each once; GET /permissions lists them';

const IsListOfPermissions = () =>
  // IsIn alone would accept a value that isn't a list.
  applyDecorators(ArrayUnique({ message }), IsIn(allPermissions, { each: true, message }));

@ApiSchema({ name: 'CreateRole', description: 'New role settings.' })
export class CreateRoleDto {
  @ApiProperty(nameProperty)
  @Trimmed()
  @IsName()
  name: string;

  @ApiProperty(permissionsProperty)
  @IsListOfPermissions()
  permissions: Permission[];
}

@ApiSchema({ name: 'UpdateRole', description: 'Role settings to change. Omitted fields stay the same.' })
export class UpdateRoleDto {
  @ApiProperty({ ...nameProperty, required: false })
  @OptionalField()
  @Trimmed()
  @IsName()
  name?: string;

  @ApiProperty({ ...permissionsProperty, required: false })
  @OptionalField()
  @IsListOfPermissions()
  permissions?: Permission[];
}

@ApiSchema({ name: 'Role', description: 'A named set of permissions in the organization.' })
export class RoleDto {
  @ApiProperty(idProperty('role'))
  id: string;

  @ApiProperty(nameProperty)
  name: string;

  @ApiProperty(permissionsProperty)
  permissions: Permission[];

  @ApiProperty({ type: 'integer', description: 'Number of members with the role.', example: 3, minimum: 0 })
  memberCount: number;

  @ApiProperty({ type: 'integer', description: 'Number of service accounts with the role.', example: 1, minimum: 0 })
  serviceAccountCount: number;

  @ApiProperty({
    type: 'integer',
    description: 'Number of pending and expired invitations with the role.',
    example: 1,
    minimum: 0,
  })
  invitationCount: number;

  @ApiProperty(timeProperty('When the role was created'))
  createdAt: string;

  @ApiProperty(timeProperty('When the role was last changed'))
  updatedAt: string;
}

@ApiSchema({ name: 'RoleList', description: 'The roles of the organization.' })
export class RoleListDto {
  @ApiProperty({ type: [RoleDto], description: 'All roles, oldest first.', minItems: 1 })
  roles: RoleDto[];
}
