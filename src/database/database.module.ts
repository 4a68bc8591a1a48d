import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServiceConfig } from '../config/service-config.js';
import { ManagementDataSource, managementOptions } from './management-data-source.js';

@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [ServiceConfig],
      useFactory: (config: ServiceConfig) => ({ ...managementOptions(config.database), retryAttempts: 1 }),
      dataSourceFactory: (options) => {
        if (options === undefined) throw new TypeError('TypeORM has no options.');
        return Promise.resolve(new ManagementDataSource(options));
      },
    }),
  ],
})
export class DatabaseModule {}
