import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../access/declare-access.js';
import { allPermissions, permissionCatalogue } from '../../access/permissions.js';
import { PermissionListDto } from './dto/permission.dto.js';

@ApiTags('Roles')
@Controller('permissions')
export class PermissionsController {
  /** List everything that roles can allow, in words and groups. */
  @Get()
  @SignedIn()
  @ApiOkResponse({ type: PermissionListDto, description: 'The permissions.' })
  listPermissions(): PermissionListDto {
    return { permissions: allPermissions.map((name) => ({ name, ...permissionCatalogue[name] })) };
  }
}
