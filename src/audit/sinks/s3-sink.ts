import { gzipSync } from 'node:zlib';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import type { S3SinkDefinition } from '../../config/sink-definition.js';
import { type Sink, type SinkBatch, toLines } from './sink.js';

/** Puts an object for each batch. Loaded only if it's used, because the client is large. */
export class S3Sink implements Sink {
  readonly maxEvents = 5000;
  readonly waitMilliseconds;
  private readonly client;

  constructor(private readonly definition: S3SinkDefinition) {
    const { region, endpoint, accessKeyId, secretAccessKey, everySeconds } = definition;
    this.waitMilliseconds = everySeconds * 1000;
    this.client = new S3Client({
      region,
      // The cursor is advanced after a success only, and failures are retried there.
      maxAttempts: 1,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(accessKeyId !== undefined &&
        secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
      // Not every compatible service knows the newer checksums.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    });
  }

  async deliver(batch: SinkBatch, signal: AbortSignal): Promise<void> {
    const { bucket, prefix } = this.definition;
    await this.client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: `${prefix}${nameOf(batch)}`,
        Body: gzipSync(toLines(batch)),
        ContentType: 'application/gzip',
      }),
      { abortSignal: signal },
    );
  }
}

/** By the day of the first event, and the positions: a repeated batch replaces itself, and names sort like the events. */
function nameOf({ events, first, last }: SinkBatch): string {
  const day = (events[0]?.occurredAt ?? new Date(0)).toISOString().slice(0, 10).replaceAll('-', '/');
  return `${day}/${[first, last].map((position) => String(position).padStart(15, '0')).join('-')}.jsonl.gz`;
}
