import { type DynamicModule, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { MetricsService } from '../metrics/metrics.service.js';
import { ServiceConfig } from '../config/service-config.js';
import type { Entities } from './data-source-options.js';
import { DatabaseHistory } from './history/database-history.service.js';
import { ManagementDataSource, type ManagementOptions, managementOptions } from './management-data-source.js';

/** Adds the metrics of the connection pool. */
@Injectable()
class PoolMetrics implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly metrics: MetricsService,
  ) {}

  onModuleInit(): void {
    const { dataSource } = this;
    if (!(dataSource instanceof ManagementDataSource)) return;
    this.metrics.add(
      {
        kind: 'gauge',
        name: 'keycard_database_connections',
        help: 'Open connections of the pool for management requests.',
        read: () => dataSource.poolUse().totalCount,
      },
      {
        kind: 'gauge',
        name: 'keycard_database_connections_idle',
        help: 'Connections of that pool that run no query.',
        read: () => dataSource.poolUse().idleCount,
      },
      {
        kind: 'gauge',
        name: 'keycard_database_queue_length',
        help: 'Management requests that wait for a connection.',
        read: () => dataSource.poolUse().waitingCount,
      },
    );
  }
}

@Module({})
export class DatabaseModule {
  /** @param entities all tables that TypeORM maps; this folder doesn't import features */
  static forRoot(entities: Entities): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      inject: [ServiceConfig, DatabaseHistory],
      useFactory: ({ database, connectionMaxAgeSeconds, instanceShare }: ServiceConfig, history: DatabaseHistory) => ({
        ...managementOptions(database, entities, history, connectionMaxAgeSeconds, instanceShare),
        retryAttempts: 1,
      }),
      dataSourceFactory: (options) => {
        if (options === undefined || !('history' in options)) throw new TypeError('TypeORM has no options.');
        return Promise.resolve(new ManagementDataSource(options as ManagementOptions));
      },
    });
    return { module: DatabaseModule, imports: [typeOrm], providers: [PoolMetrics] };
  }
}
