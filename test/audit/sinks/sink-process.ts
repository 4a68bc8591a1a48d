import { DataSource } from 'typeorm';
import { openSink } from '../../../src/audit/sinks/open-sink.js';
import { defaultDeliveryTimes, SinkDelivery } from '../../../src/audit/sinks/sink-delivery.js';
import type { DatabaseConnection } from '../../../src/config/database-connection.js';
import type { SinkDefinition } from '../../../src/config/sink-definition.js';
import { dataSourceOptions } from '../../../src/database/data-source-options.js';

/** A replica that only delivers to one sink, until it's killed. */
const [, , settings = ''] = process.argv;
const { database, sink } = JSON.parse(settings) as { database: DatabaseConnection; sink: SinkDefinition };
const dataSource = await new DataSource(dataSourceOptions(database, [], 2)).initialize();
const logger = { warn: () => undefined, log: () => undefined };
const times = { ...defaultDeliveryTimes, pollMilliseconds: 10, takeoverMilliseconds: 50, pauseMilliseconds: 20 };
await new SinkDelivery(sink.name, () => openSink(sink), dataSource, logger, times).run(new AbortController().signal);
