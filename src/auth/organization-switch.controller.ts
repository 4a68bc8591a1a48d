import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiNotFoundResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../access/declare-access.js';
import { type Actor, CurrentActor } from '../access/principal.js';
import { Audited } from '../audit/audit.service.js';
import { ApiBodyErrors, problemContent } from '../common/errors/api-errors.js';
import { AppError } from '../common/errors/app-error.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
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

  /**
   * Switch organizations
   *
   * @remarks Returns an access token for another of your organizations. `GET /organizations` lists them.
   */
  @Post('switch-organization')
  @HttpCode(200)
  @SignedIn()
  @Audited('organization.switch')
  @ApiOkResponse({ type: AccessTokenDto, description: 'An access token for the organization.' })
  @ApiNotFoundResponse({ ...problemContent, description: 'You are not a member of an organization with this id.' })
  @ApiBodyErrors()
  async switchOrganization(
    @CurrentActor() actor: Actor,
    @Body() { organizationId }: SwitchOrganizationDto,
  ): Promise<AccessTokenDto> {
    if (actor.sessionId === undefined) throw notASession();
    await this.organizations.enter(actor, organizationId);
    return this.sessions.switchOrganization(actor.sessionId, organizationId);
  }
}

function notASession(): AppError {
  return new AppError(
    'validation-failed',
    "Only sessions can switch organizations. The identity provider's tokens name their organization themselves.",
  );
}
