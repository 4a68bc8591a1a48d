import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MetricsService } from '../../../metrics/metrics.service.js';
import { VectorCache } from './vector-cache.js';

/** Adds the metrics of the cache of vectors. */
@Injectable()
export class VectorCacheMetrics implements OnModuleInit {
  constructor(
    private readonly metrics: MetricsService,
    private readonly cache: VectorCache,
  ) {}

  onModuleInit(): void {
    const { cache } = this;
    this.metrics.add(
      {
        kind: 'counter',
        name: 'keycard_embeddings_cache_texts_total',
        help: 'Texts looked up in the cache of vectors.',
        labelNames: ['outcome'],
        *read() {
          yield { labels: { outcome: 'hit' }, value: cache.hits };
          yield { labels: { outcome: 'miss' }, value: cache.misses };
        },
      },
      {
        kind: 'gauge',
        name: 'keycard_embeddings_cache_bytes',
        help: 'Memory that the cache of vectors uses.',
        read: () => cache.bytes,
      },
    );
  }
}
