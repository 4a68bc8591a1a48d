import { FileSink } from './file-sink.js';
import { HttpsSink } from './https-sink.js';
import type { Sink } from './sink.js';
import type { SinkDefinition } from '../../config/sink-definition.js';
import { SyslogSink } from './syslog-sink.js';

export async function openSink(definition: SinkDefinition): Promise<Sink> {
  switch (definition.type) {
    case 'https':
      return new HttpsSink(definition);
    case 's3': {
      const { S3Sink } = await import('./s3-sink.js');
      return new S3Sink(definition);
    }
    case 'syslog':
      return new SyslogSink(definition);
    case 'file':
      return new FileSink(definition);
  }
}
