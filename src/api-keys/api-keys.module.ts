import { Module } from '@nestjs/common';
import { MovedOrganizations } from '../cells/moved-organizations.service.js';
import { UsageModule } from '../usage/usage.module.js';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { ApiKeySecretsService } from './api-key-secrets.service.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';
import { BulkApiKeysController } from './bulk/bulk-api-keys.controller.js';
import { BulkApiKeysService } from './bulk/bulk-api-keys.service.js';
import { CurrentApiKeyController } from './current-api-key.controller.js';
import { CurrentApiKeyService } from './current-api-key.service.js';
import { ExpiredKeysService } from './expired/expired-keys.service.js';

@Module({
  imports: [UsageModule],
  controllers: [BulkApiKeysController, ApiKeysController, CurrentApiKeyController],
  providers: [
    ApiKeysService,
    ApiKeySecretsService,
    BulkApiKeysService,
    ApiKeyVerifierService,
    ApiKeyStrategy,
    CurrentApiKeyService,
    ExpiredKeysService,
    MovedOrganizations,
  ],
  exports: [ApiKeysService, ApiKeyStrategy, ApiKeyVerifierService],
})
export class ApiKeysModule {}
