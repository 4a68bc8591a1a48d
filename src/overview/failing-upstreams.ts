import type { ServedModelDto } from '../ai-gateway/models/served-model.dto.js';
import { type AttentionDto, maxNamed } from './dto/attention.dto.js';

/** The upstreams that get no requests, because they failed repeatedly. Each is named with its model. */
export function findFailingUpstreams(models: readonly ServedModelDto[]): AttentionDto {
  const failing = models.flatMap(({ id, upstreams }) =>
    upstreams
      .filter(({ circuit }) => circuit !== 'closed')
      .map(({ host, lastError }) => ({ id, name: host, ...(lastError !== null && { at: lastError.at }) })),
  );
  return { kind: 'failing-upstreams', count: failing.length, first: failing.slice(0, maxNamed) };
}
