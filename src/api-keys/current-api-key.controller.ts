import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { CurrentPrincipal, type Principal } from '../access/principal.js';
import { noStoreHeader } from '../common/http/api-headers.js';
import { NoStore } from '../common/http/api-resource.js';
import { RequireApiKey } from './api-key.guard.js';
import { CurrentApiKeyService } from './current-api-key.service.js';
import { CurrentApiKeyDto } from './dto/current-api-key.dto.js';

/** `Cache-Control`, which `@NoStore()` sends. */
const noStore = {
  'Cache-Control': {
    ...noStoreHeader['Cache-Control'],
    description: 'Always `no-store`, because what is left changes.',
  },
};

@ApiTags('API keys')
@Controller('v1/key')
export class CurrentApiKeyController {
  constructor(private readonly currentKey: CurrentApiKeyService) {}

  /**
   * Get the API key you send
   *
   * @remarks Returns the key's name, expiry, restrictions, and limits with what is left of them. The request counts against
   * no limit, so it works when a limit is exhausted. The organization's limits apply in addition and aren't included.
   */
  @Get()
  @NoStore()
  @RequireApiKey()
  @ApiOkResponse({ type: CurrentApiKeyDto, description: 'The API key.', headers: noStore })
  getCurrentKey(@CurrentPrincipal() principal: Principal): Promise<CurrentApiKeyDto> {
    return this.currentKey.get(principal);
  }
}
