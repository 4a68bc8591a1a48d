import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServiceConfig } from '../config/service-config.js';
import type { Entities } from './data-source-options.js';
import { ManagementDataSource, managementOptions } from './management-data-source.js';

@Module({})
export class DatabaseModule {
  /** @param entities all tables that TypeORM maps; this folder doesn't import features */
  static forRoot(entities: Entities): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      inject: [ServiceConfig],
      useFactory: ({ database, connectionMaxAgeSeconds }: ServiceConfig) => ({
        ...managementOptions(database, entities, connectionMaxAgeSeconds),
        retryAttempts: 1,
      }),
      dataSourceFactory: (options) => {
        if (options === undefined) throw new TypeError('TypeORM has no options.');
        return Promise.resolve(new ManagementDataSource(options));
      },
    });
    return { module: DatabaseModule, imports: [typeOrm] };
  }
}
