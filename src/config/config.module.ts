import { type DynamicModule, Module } from '@nestjs/common';
import { ServiceConfig } from './service-config.js';

@Module({})
export class ConfigModule {
  /** Makes the configuration injectable in all modules. */
  static forRoot(config: ServiceConfig): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [{ provide: ServiceConfig, useValue: config }],
      exports: [ServiceConfig],
    };
  }
}
