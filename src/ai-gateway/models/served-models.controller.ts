import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../../access/declare-access.js';
import { CurrentPrincipal, type Principal } from '../../access/principal.js';
import { ServedModelsDto } from './served-model.dto.js';
import { ServedModelsService } from './served-models.service.js';

@ApiTags('Models')
@Controller('models')
export class ServedModelsController {
  constructor(private readonly models: ServedModelsService) {}

  /**
   * List served models
   *
   * @remarks All models, and the services that your organization may use, whether or not keys are restricted to some of
   *   them, with what serves each model.
   *   The health of upstreams is as seen by the replica that sent this response, since it started; other replicas may
   *   differ.
   */
  @Get()
  @SignedIn({ serviceAccounts: true })
  @ApiOkResponse({ type: ServedModelsDto, description: 'The models and services.' })
  listServedModels(@CurrentPrincipal() principal: Principal): ServedModelsDto {
    return this.models.list(principal);
  }
}
