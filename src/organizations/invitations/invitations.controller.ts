import { Body, Controller, Delete, Get, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiForbiddenResponse, ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Audited } from '../../audit/audited.js';
import type { Actor } from '../../access/actor.js';
import { RequirePermission } from '../../access/declare-access.js';
import { CurrentActor } from '../../access/current-actor.js';
import { CurrentPrincipal } from '../../access/current-principal.js';
import { LimitCreation } from '../../access/limit-creation.js';
import type { Principal } from '../../access/principal.js';
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

  /** Invite somebody. The answer is the only one that holds the link, which is valid for 7 days and works once. */
  @Post('members')
  @NoStore()
  @RequirePermission('create-members')
  @LimitCreation()
  @Audited('invitation.create')
  @ApiCreatedResponse({
    type: CreatedInvitationDto,
    description: 'The invitation and its link; an earlier invitation of the same address no longer works.',
    headers: { ...locationHeader('invitation', '/invitations'), ...noStoreHeader },
  })
  @ApiForbiddenResponse({
    ...problemContent,
    description: 'Your role lacks `create-members`, or a permission that the role of the invitation holds.',
  })
  @ApiNotFoundResponse({ ...problemContent, description: 'The organization has no role with this id.' })
  @ApiConflict('The address belongs to a member.')
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
    // Browsers send no fragment, so that the token appears in no server's log.
    return { ...invitation, link: `${baseUrl}/accept-invitation#token=${token}` };
  }

  /** List the invitations that were not accepted yet, also those that have expired, page by page. */
  @Get('invitations')
  @RequirePermission('get-members')
  @ApiOkResponse({ type: InvitationListDto, description: 'One page of invitations.' })
  @ApiQueryErrors()
  listInvitations(@CurrentPrincipal() principal: Principal, @Query() query: PageQueryDto): Promise<InvitationListDto> {
    return this.invitations.list(principal, query);
  }

  /** Withdraw an invitation: its link no longer works. */
  @Delete('invitations/:id')
  @RequirePermission('delete-members')
  @Audited('invitation.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The invitation is withdrawn.' })
  async deleteInvitation(@CurrentActor() actor: Actor, @IdParam('invitation') id: string): Promise<MessageDto> {
    await this.invitations.delete(actor, id);
    return { message: 'The invitation was withdrawn. Its link no longer works.' };
  }
}
