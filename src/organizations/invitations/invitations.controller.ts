import { Body, Controller, Delete, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LimitCreation, RequirePermission } from '../../access/declare-access.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict, ApiQueryErrors, problemContent } from '../../common/errors/api-errors.js';
import { locationHeader, noStoreHeader } from '../../common/http/api-headers.js';
import { IdParam, NoStore } from '../../common/http/api-resource.js';
import { baseUrlOf } from '../../common/http/base-url.js';
import { MessageDto } from '../../common/http/message.dto.js';
import { PageQueryDto } from '../../common/validation/paging.dto.js';
import { ServiceConfig } from '../../config/service-config.js';
import { CreatedInvitationDto, CreateInvitationDto, InvitationListDto } from './dto/invitation.dto.js';
import { InvitationsService } from './invitations.service.js';

@ApiTags('Members')
@Controller()
export class InvitationsController {
  constructor(
    private readonly config: ServiceConfig,
    private readonly invitations: InvitationsService,
  ) {}

  /**
   * Invite a member
   *
   * @remarks Only this response contains the link. It is valid for 7 days and works once.
   */
  @Post('members')
  @NoStore()
  @RequirePermission('create-members', 'one of the permissions of the invited role')
  @LimitCreation()
  @Audited('invitation.create')
  @ApiCreatedResponse({
    type: CreatedInvitationDto,
    description: 'The invitation and its link. An earlier invitation for the same email no longer works.',
    headers: { ...locationHeader('invitation', '/invitations'), ...noStoreHeader },
  })
  @ApiNotFoundResponse({ ...problemContent, description: 'The organization has no role with this id.' })
  @ApiConflict('The email belongs to a member.')
  @ApiBodyErrors()
  async createInvitation(
    @CurrentActor() actor: Actor,
    @Body() body: CreateInvitationDto,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatedInvitationDto> {
    const baseUrl = baseUrlOf(request, this.config);
    const { invitation, token } = await this.invitations.create(actor, body);
    void reply.header('location', `/invitations/${invitation.id}`);
    // In the fragment, which browsers don't send, so the token doesn't appear in logs.
    return { ...invitation, link: `${baseUrl}/accept-invitation#token=${token}` };
  }

  /**
   * List invitations
   *
   * @remarks Pending invitations, including expired ones.
   */
  @Get('invitations')
  @RequirePermission('get-members')
  @ApiOkResponse({ type: InvitationListDto, description: 'One page of invitations.' })
  @ApiQueryErrors()
  listInvitations(@CurrentPrincipal() principal: Principal, @Query() query: PageQueryDto): Promise<InvitationListDto> {
    return this.invitations.list(principal, query);
  }

  /**
   * Withdraw an invitation
   *
   * @remarks Its link stops working immediately.
   */
  @Delete('invitations/:id')
  @RequirePermission('delete-members')
  @Audited('invitation.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The invitation was withdrawn.' })
  async deleteInvitation(@CurrentActor() actor: Actor, @IdParam('invitation') id: string): Promise<MessageDto> {
    await this.invitations.delete(actor, id);
    return { message: 'The invitation was withdrawn. Its link no longer works.' };
  }
}
