import { Injectable } from '@nestjs/common';
import { invalidField, unavailable } from '../../common/errors/app-error.js';
import { EngineBusyError, EngineFailedError } from '../engines/engine-errors.js';
import { ModelCatalogueService } from '../models/model-catalogue.service.js';
import { type EmbeddingsRequest, largestTokenTotal } from './embeddings-request.js';
import { writeEmbeddingsResponse } from './embeddings-response.js';
import { shortenVector } from './shorten-vector.js';

@Injectable()
export class EmbeddingsService {
  constructor(private readonly catalogue: ModelCatalogueService) {}

  /**
   * Embeds the texts of a request.
   *
   * @param signal ends the work when the client has gone
   * @returns the response body, as JSON text
   * @throws AppError 404 for an unknown model, 400 for a limit of the model, 503 when the engine is busy or broken
   */
  async embed(request: EmbeddingsRequest, signal: AbortSignal): Promise<string> {
    const { servedBy } = this.catalogue.getFor('embeddings', request.model);
    if (!('engine' in servedBy)) throw new Error('not built yet');
    const { engine } = servedBy;
    try {
      const limits = await engine.describe(signal);
      const dimensions = request.dimensions ?? limits.dimensions;
      if (dimensions > limits.dimensions) {
        throw invalidField('dimensions', `dimensions must be at most ${limits.dimensions} for this model.`);
      }
      const texts = await engine.tokenize(request.texts, signal);
      const tokens = checkTokenCounts(texts.tokenCounts, limits.maxTokensPerText);
      const vectors = await engine.embed(texts, signal);
      const shortened = vectors.map((vector) => shortenVector(vector, dimensions));
      return await writeEmbeddingsResponse(request.model, shortened, request.encodingFormat, tokens);
    } catch (error) {
      throw toAppError(error);
    }
  }
}

/** The sum of the counts. */
function checkTokenCounts(tokenCounts: readonly number[], limit: number): number {
  const place = (index: number) => (tokenCounts.length === 1 ? 'input' : `input.${index}`);
  const long = tokenCounts.findIndex((count) => count > limit);
  if (long !== -1) throw invalidField('input', `${place(long)} must have at most ${limit} tokens.`);
  const empty = tokenCounts.indexOf(0);
  if (empty !== -1) throw invalidField('input', `${place(empty)} must hold some text; it has no tokens.`);
  const total = tokenCounts.reduce((sum, count) => sum + count, 0);
  if (total > largestTokenTotal) {
    throw invalidField('input', `input must have at most ${largestTokenTotal} tokens in all; this one has ${total}.`);
  }
  return total;
}

function toAppError(error: unknown): unknown {
  if (error instanceof EngineBusyError) {
    return unavailable('overloaded', 'Too many texts are waiting to be embedded.', error.retryAfterSeconds, error);
  }
  if (error instanceof EngineFailedError) {
    return unavailable('engine-unavailable', 'The embedding engine cannot run; the log says why.', 5, error);
  }
  return error;
}
