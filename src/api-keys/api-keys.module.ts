import { Module } from '@nestjs/common';
import { ApiKeyVerifierService } from './api-key-verifier.service.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import { ApiKeysController } from './api-keys.controller.js';
import { ApiKeysService } from './api-keys.service.js';

@Module({
  controllers: [ApiKeysController],
  providers: [ApiKeysService, ApiKeyVerifierService, ApiKeyStrategy],
  exports: [ApiKeysService, ApiKeyStrategy, ApiKeyVerifierService],
})
export class ApiKeysModule {}
