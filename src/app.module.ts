import { type DynamicModule, Module } from '@nestjs/common';
import { AiGatewayModule } from './ai-gateway/ai-gateway.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import type { ServiceConfig } from './config/service-config.js';
import { DatabaseHistoryModule } from './database/history/database-history.module.js';
import { DatabaseModule } from './database/database.module.js';
import { entities } from './entities.js';
import { EventsModule } from './events/events.module.js';
import { HealthModule } from './health/health.module.js';
import { LeakedKeysModule } from './leaked-keys/leaked-keys.module.js';
import { MailModule } from './mail/mail.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { UsageModule } from './usage/usage.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

@Module({})
export class AppModule {
  static forRoot(config: ServiceConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseHistoryModule,
        DatabaseModule.forRoot(entities),
        AuditModule,
        AuthModule,
        ApiKeysModule,
        LeakedKeysModule,
        MailModule,
        AiGatewayModule,
        UsageModule,
        HealthModule,
        MetricsModule,
        RetentionModule,
        EventsModule,
        WebhooksModule,
        OverviewModule,
      ],
    };
  }
}
