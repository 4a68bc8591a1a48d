import { Body, Controller, Delete, Get, Patch, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LimitCreation, RequirePermission, SignedIn } from '../../access/declare-access.js';
import { allPermissions, permissionCatalog } from '../../access/permissions.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict } from '../../common/errors/api-errors.js';
import { locationHeader } from '../../common/http/api-headers.js';
import { IdParam } from '../../common/http/api-resource.js';
import { MessageDto } from '../../common/http/message.dto.js';
import { PermissionListDto } from './dto/permission.dto.js';
import { CreateRoleDto, RoleDto, RoleListDto, UpdateRoleDto } from './dto/role.dto.js';
import { RolesService } from './roles.service.js';

@ApiTags('Roles')
@Controller('roles')
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  /**
   * List roles
   *
   * @remarks Returns all roles of the current organization, with their permissions.
   */
  @Get()
  @RequirePermission('get-roles')
  @ApiOkResponse({ type: RoleListDto, description: 'The roles.' })
  async listRoles(@CurrentPrincipal() principal: Principal): Promise<RoleListDto> {
    return { roles: await this.roles.list(principal) };
  }

  /**
   * Create a role
   *
   * @remarks You must hold every permission that you give it.
   */
  @Post()
  @RequirePermission('create-roles', "one of the new role's permissions")
  @LimitCreation()
  @Audited('role.create')
  @ApiCreatedResponse({ type: RoleDto, description: 'The new role.', headers: locationHeader('role', '/roles') })
  @ApiConflict('The organization already has a role with this name.')
  @ApiBodyErrors()
  async createRole(
    @CurrentActor() actor: Actor,
    @Body() body: CreateRoleDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RoleDto> {
    const role = await this.roles.create(actor, body);
    void reply.header('location', `/roles/${role.id}`);
    return role;
  }

  /**
   * Update a role
   *
   * @remarks Applies from its members' next request.
   */
  @Patch(':id')
  @RequirePermission('update-roles', 'a permission that you add or remove (or one of the role, if you rename it)')
  @Audited('role.update')
  @ApiOkResponse({ type: RoleDto, description: 'The updated role.' })
  @ApiConflict('The name is taken, or no member would be left with both `update-roles` and `update-members`.')
  @ApiBodyErrors()
  updateRole(@CurrentActor() actor: Actor, @IdParam('role') id: string, @Body() body: UpdateRoleDto): Promise<RoleDto> {
    return this.roles.update(actor, id, body);
  }

  /**
   * Delete a role
   *
   * @remarks No member, invitation or service account may have it.
   */
  @Delete(':id')
  @RequirePermission('delete-roles')
  @Audited('role.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The role was deleted.' })
  @ApiConflict('Members, invitations or service accounts have the role. The response lists them.')
  async deleteRole(@CurrentActor() actor: Actor, @IdParam('role') id: string): Promise<MessageDto> {
    await this.roles.delete(actor, id);
    return { message: 'The role was deleted.' };
  }
}

@ApiTags('Roles')
@Controller('permissions')
export class PermissionsController {
  /**
   * List permissions
   *
   * @remarks Every permission, with description and group.
   */
  @Get()
  @SignedIn({ serviceAccounts: true })
  @ApiOkResponse({ type: PermissionListDto, description: 'The permissions.' })
  listPermissions(): PermissionListDto {
    return {
      permissions: allPermissions.map((name) => {
        const { description, group } = permissionCatalog[name];
        return { name, description, group };
      }),
    };
  }
}
