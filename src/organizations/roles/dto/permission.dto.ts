import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { allPermissions, type Permission, permissionGroups } from '../../../access/permissions.js';

@ApiSchema({ name: 'Permission', description: 'Something that a role can allow.' })
export class PermissionDto {
  @ApiProperty({ description: 'The permission, as roles name it.', enum: allPermissions, example: 'create-api-keys' })
  name: Permission;

  @ApiProperty({ description: 'What it allows, in words.', example: 'Create API keys', minLength: 1 })
  description: string;

  @ApiProperty({ description: 'What it is shown under.', enum: permissionGroups, example: 'API keys' })
  group: (typeof permissionGroups)[number];
}

@ApiSchema({ name: 'PermissionList', description: 'Everything that roles can allow.' })
export class PermissionListDto {
  @ApiProperty({
    type: [PermissionDto],
    description: 'Every permission, in the order of the groups.',
    minItems: allPermissions.length,
    maxItems: allPermissions.length,
  })
  permissions: PermissionDto[];
}
