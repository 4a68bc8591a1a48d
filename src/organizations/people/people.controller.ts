import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { RequirePermission } from '../../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../../access/principal.js';
import { ApiQueryErrors } from '../../common/errors/api-errors.js';
import { IdParam } from '../../common/http/api-resource.js';
import { FormerMemberListDto, ListFormerMembersQueryDto, PersonDto, PersonSessionListDto } from './dto/person.dto.js';
import { PeopleService } from './people.service.js';

@ApiTags('Members')
@Controller('people')
export class PeopleController {
  constructor(private readonly people: PeopleService) {}

  /**
   * List former members
   *
   * @remarks Returns one page of the people who left the current organization or were removed, and aren't members again.
   */
  @Get('former')
  @RequirePermission('get-members')
  @ApiOkResponse({ type: FormerMemberListDto, description: 'One page of former members.' })
  @ApiQueryErrors()
  listFormerMembers(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ListFormerMembersQueryDto,
  ): Promise<FormerMemberListDto> {
    return this.people.listFormer(principal, query);
  }

  /**
   * Get a person
   *
   * @remarks Returns a current or former member by the id of the user, as in the creator of a key or the actor of an audit
   * event. To find their keys, usage and events, filter `GET /api-keys` and `GET /usage` by `creatorId`, and
   * `GET /audit-events` by `actorId`.
   */
  @Get(':id')
  @RequirePermission('get-members')
  @ApiOkResponse({ type: PersonDto, description: 'The person.' })
  getPerson(@CurrentPrincipal() principal: Principal, @IdParam('person') id: string): Promise<PersonDto> {
    return this.people.get(principal, id);
  }

  /**
   * List a member's sessions
   *
   * @remarks Returns the open sessions in which the member works in the current organization, most recently used first. Those
   * of other organizations stay private.
   */
  @Get(':id/sessions')
  @RequirePermission('get-audit-events')
  @ApiOkResponse({ type: PersonSessionListDto, description: 'The sessions.' })
  async listPersonSessions(
    @CurrentPrincipal() principal: Principal,
    @IdParam('member') id: string,
  ): Promise<PersonSessionListDto> {
    return { sessions: await this.people.listSessions(principal, id) };
  }
}
