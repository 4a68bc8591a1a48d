import { Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { MetricsService } from '../../../metrics/metrics.service.js';
import type { RequestUsage } from '../../request-usage.js';

/** Measures streams of generated text, with the names of OpenTelemetry's conventions for generative AI. */
@Injectable()
export class GenerationMetricsService {
  constructor(private readonly metrics: MetricsService) {}

  /** Call it when the first token has arrived. */
  watch(usage: RequestUsage, reply: FastifyReply): void {
    const firstMilliseconds = reply.elapsedTime;
    usage.firstTokenMilliseconds = firstMilliseconds;
    const { timeToFirstToken, timePerOutputToken } = this.metrics;
    if (timeToFirstToken.record === undefined) return;
    const labels = { gen_ai_request_model: usage.model };
    timeToFirstToken.record(labels, firstMilliseconds / 1000);
    reply.raw.once('finish', () => {
      const further = (usage.outputTokens ?? 0) - 1;
      if (further < 1 || usage.isUnreported === true) return;
      timePerOutputToken.record?.(labels, (reply.elapsedTime - firstMilliseconds) / 1000 / further);
    });
  }
}
