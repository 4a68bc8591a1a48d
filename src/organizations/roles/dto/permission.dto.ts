import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { allPermissions, permissionEnum, type Permission, permissionGroups } from '../../../access/permissions.js';

@ApiSchema({ name: 'PermissionDetails', description: 'A permission, with its description and group.' })
class PermissionDto {
  @ApiProperty({ description: 'Identifier of the permission.', ...permissionEnum, example: 'create-api-keys' })
  name: Permission;

  @ApiProperty({ description: 'Description of the permission.', example: 'Create API keys', minLength: 1 })
  description: string;

  @ApiProperty({ description: 'Group in which the permission is shown.', enum: permissionGroups, example: 'API keys' })
  group: (typeof permissionGroups)[number];
}

@ApiSchema({ name: 'PermissionList', description: 'All permissions.' })
export class PermissionListDto {
  @ApiProperty({
    type: [PermissionDto],
    description: 'All permissions, ordered by group.',
    minItems: 1,
    maxItems: allPermissions.length,
  })
  permissions: PermissionDto[];
}
