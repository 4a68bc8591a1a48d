import { Global, Module } from '@nestjs/common';
import { DatabaseHistory } from './database-history.service.js';

@Global()
@Module({ providers: [DatabaseHistory], exports: [DatabaseHistory] })
export class DatabaseHistoryModule {}
