import { Module } from '@nestjs/common';
import { SignInLimitsModule } from '../auth/limits/sign-in-limits.module.js';
import { LeakedKeysController } from './leaked-keys.controller.js';
import { LeakedKeysService } from './leaked-keys.service.js';

/** Takes reports of leaked API keys. */
@Module({
  imports: [SignInLimitsModule],
  controllers: [LeakedKeysController],
  providers: [LeakedKeysService],
})
export class LeakedKeysModule {}
