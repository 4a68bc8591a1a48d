import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../access/principal.js';
import { OverviewDto } from './dto/overview.dto.js';
import { OverviewService } from './overview.service.js';

@ApiTags('Organizations')
@Controller('overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  /**
   * Get an overview of the current organization
   *
   * @remarks Usage today and this month, what needs attention, the latest changes, and the checklist of a new
   *   organization. Parts that need a permission you lack are absent.
   */
  @Get()
  @SignedIn({ serviceAccounts: true })
  @ApiOkResponse({ type: OverviewDto, description: 'The overview.' })
  getOverview(@CurrentPrincipal() principal: Principal): Promise<OverviewDto> {
    return this.overview.get(principal);
  }
}
