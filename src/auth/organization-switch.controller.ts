import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Audited } from '../audit/audited.js';
import { ApiBodyErrors, problemContent } from '../common/errors/api-errors.js';
import { AppError } from '../common/errors/app-error.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import type { Actor } from '../access/actor.js';
import { SignedIn } from '../access/declare-access.js';
import { CurrentActor } from '../access/current-actor.js';
import { AccessTokenDto } from './dto/sign-in.dto.js';
import { SwitchOrganizationDto } from './dto/switch-organization.dto.js';
import { SessionsService } from './sessions/sessions.service.js';

@ApiTags('Sign-in')
@Controller('auth')
export class OrganizationSwitchController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly sessions: SessionsService,
  ) {}

  /** Get a token for another organization that you belong to; `GET /organizations` lists them. */
  @Post('switch-organization')
  @HttpCode(200)
  @SignedIn()
  @Audited('organization.switch')
  @ApiOkResponse({ type: AccessTokenDto, description: 'A token for that organization.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'You belong to no organization with this id.' })
  @ApiBodyErrors()
  async switchOrganization(
    @CurrentActor() actor: Actor,
    @Body() { organizationId }: SwitchOrganizationDto,
  ): Promise<AccessTokenDto> {
    if (actor.sessionId === undefined) throw tokenHasNoSession();
    await this.organizations.enter(actor, organizationId);
    return this.sessions.switchOrganization(actor.sessionId, organizationId);
  }
}

function tokenHasNoSession(): AppError {
  return new AppError(
    'validation-failed',
    'A token of the identity provider names its organization itself; only a session can be switched.',
  );
}
