import { Body, Controller, Delete, Get, Patch, Post, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiForbiddenResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { LimitCreation, RequirePermission, SignedIn } from '../access/declare-access.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict, errorCodes, problemContent } from '../common/errors/api-errors.js';
import { locationHeader } from '../common/http/api-headers.js';
import { MessageDto } from '../common/http/message.dto.js';
import {
  CreateOrganizationDto,
  MyOrganizationListDto,
  OrganizationDetailsDto,
  OrganizationDto,
  UpdateOrganizationDto,
} from './dto/organization.dto.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  /**
   * List your organizations
   *
   * @remarks With your role in each.
   */
  @Get()
  @SignedIn()
  @ApiOkResponse({ type: MyOrganizationListDto, description: 'Your organizations.' })
  async listOrganizations(@CurrentPrincipal() principal: Principal): Promise<MyOrganizationListDto> {
    return { organizations: await this.organizations.listOf(principal) };
  }

  /**
   * Create an organization
   *
   * @remarks You become its Owner. Switch to it with `POST /auth/switch-organization`. `canCreateOrganizations` in
   *   `GET /auth/me` is whether you may.
   */
  @Post()
  @SignedIn()
  @LimitCreation()
  @Audited('organization.create')
  @ApiCreatedResponse({
    type: OrganizationDto,
    description: 'The new organization.',
    headers: locationHeader('organization', '/organizations'),
  })
  @ApiForbiddenResponse({
    ...problemContent,
    description: 'You may not create organizations.',
    ...errorCodes('organization-creation-denied'),
  })
  @ApiBodyErrors()
  async createOrganization(
    @CurrentActor() actor: Actor,
    @Body() body: CreateOrganizationDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<OrganizationDto> {
    const organization = await this.organizations.create(actor, body);
    void reply.header('location', `/organizations/${organization.id}`);
    return organization;
  }

  /**
   * Get the current organization
   *
   * @remarks With its limits and their current state.
   */
  @Get('current')
  @SignedIn({ serviceAccounts: true })
  @ApiOkResponse({ type: OrganizationDetailsDto, description: 'The current organization.' })
  getOrganization(@CurrentPrincipal() principal: Principal): Promise<OrganizationDetailsDto> {
    return this.organizations.get(principal);
  }

  /**
   * Update the current organization
   *
   * @remarks Limits apply to every request that arrives after the response.
   */
  @Patch('current')
  @RequirePermission('update-organization')
  @Audited('organization.update')
  @ApiOkResponse({ type: OrganizationDto, description: 'The updated organization.' })
  @ApiBodyErrors()
  updateOrganization(@CurrentActor() actor: Actor, @Body() body: UpdateOrganizationDto): Promise<OrganizationDto> {
    return this.organizations.update(actor, body);
  }

  /**
   * Delete the current organization
   *
   * @remarks Revokes all its API keys immediately, and ends the access of its members and service accounts. Its usage is
   *   deleted within minutes. Accounts of members stay. Can't be undone.
   */
  @Delete('current')
  @RequirePermission('delete-organization')
  @Audited('organization.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The organization was deleted.' })
  @ApiConflict('It is the only organization.')
  async deleteOrganization(@CurrentActor() actor: Actor): Promise<MessageDto> {
    await this.organizations.delete(actor);
    return { message: 'The organization was deleted. Requests using its API keys are now rejected.' };
  }
}
