import { Body, Controller, Delete, Get, Patch, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission, SignedIn } from '../../access/declare-access.js';
import { type Actor, CurrentActor, CurrentPrincipal, type Principal } from '../../access/principal.js';
import { Audited } from '../../audit/audit.service.js';
import { ApiBodyErrors, ApiConflict, ApiQueryErrors } from '../../common/errors/api-errors.js';
import { IdParam } from '../../common/http/api-resource.js';
import { MessageDto } from '../../common/http/message.dto.js';
import { KeyRemovalQueryDto } from '../removal/key-removal.dto.js';
import { describeRemoval, removalPermissions } from '../removal/remove-keys.js';
import { ListMembersQueryDto, MemberDto, MemberListDto, UpdateMemberDto } from './dto/member.dto.js';
import { MembersService } from './members.service.js';

@ApiTags('Members')
@Controller('members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  /**
   * List members
   *
   * @remarks Returns one page of the members of the current organization.
   */
  @Get()
  @RequirePermission('get-members')
  @ApiOkResponse({ type: MemberListDto, description: 'One page of members.' })
  @ApiQueryErrors()
  listMembers(@CurrentPrincipal() principal: Principal, @Query() query: ListMembersQueryDto): Promise<MemberListDto> {
    return this.members.list(principal, query);
  }

  /**
   * Update a member's role
   *
   * @remarks Applies from the member's next request.
   */
  @Patch(':id')
  @RequirePermission('update-members', 'one of the permissions of the new role')
  @Audited('member.update')
  @ApiOkResponse({ type: MemberDto, description: 'The member with the new role.' })
  @ApiConflict('No member would be left with both `update-roles` and `update-members`.')
  @ApiBodyErrors()
  updateMember(
    @CurrentActor() actor: Actor,
    @IdParam('member') id: string,
    @Body() body: UpdateMemberDto,
  ): Promise<MemberDto> {
    return this.members.update(actor, id, body);
  }

  /**
   * Leave the current organization
   *
   * @remarks Needs no permission. API keys that you created stay.
   */
  @Delete('me')
  @SignedIn()
  @Audited('member.delete')
  @ApiOkResponse({ type: MessageDto, description: 'You left the organization.' })
  @ApiConflict('No member would be left with both `update-roles` and `update-members`.')
  async leaveOrganization(@CurrentActor() actor: Actor): Promise<MessageDto> {
    await this.members.leave(actor);
    return { message: 'You left the organization. Your requests to it are now rejected.' };
  }

  /**
   * Remove a member
   *
   * @remarks Keeps the API keys that the member created, unless `keys` says otherwise. Either everything happens or nothing:
   * with `disable` and `delete`, requests using the keys are rejected as soon as this responds.
   */
  @Delete(':id')
  @RequirePermission('delete-members', removalPermissions)
  @Audited('member.delete', 'api-key.update', 'api-key.delete')
  @ApiOkResponse({ type: MessageDto, description: 'The member was removed.' })
  @ApiConflict(
    'No member would be left with both `update-roles` and `update-members`, or the member created more than 1,000 keys.',
  )
  @ApiQueryErrors()
  async deleteMember(
    @CurrentActor() actor: Actor,
    @IdParam('member') id: string,
    @Query() { keys }: KeyRemovalQueryDto,
  ): Promise<MessageDto> {
    const count = await this.members.delete(actor, id, keys);
    const removed = 'The member was removed. Their requests to this organization are now rejected.';
    return { message: removed + describeRemoval(keys, count) };
  }
}
