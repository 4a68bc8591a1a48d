import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { allPermissions, type Permission, permissionGroups } from '../../../access/permissions.js';

@ApiSchema({ name: 'Permission', description: 'A permission.' })
class PermissionDto {
  @ApiProperty({ description: 'Identifier of the permission.', enum: allPermissions, example: 'create-api-keys' })
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
    minItems: allPermissions.length,
    maxItems: allPermissions.length,
  })
  permissions: PermissionDto[];
}
