import { Injectable } from '@nestjs/common';
import { AppError } from '../../common/errors/app-error.js';

/** A model that clients can name. */
export interface Model {
  id: string;
  task: 'embeddings';
  /** When the model was published (for the embedded one: arXiv 1803.11175), in Unix seconds. */
  createdSeconds: number;
  ownedBy: string;
}

/** The models that are served. */
@Injectable()
export class ModelCatalogueService {
  private readonly models: readonly Model[] = [
    { id: 'universal-sentence-encoder-lite', task: 'embeddings', createdSeconds: 1_522_281_600, ownedBy: 'keycard' },
  ];

  list(): readonly Model[] {
    return this.models;
  }

  /** @throws AppError 404 `model_not_found` */
  get(id: string): Model {
    const model = this.models.find((candidate) => candidate.id === id);
    if (model !== undefined) return model;
    throw new AppError(
      'model-not-found',
      `The model '${id.slice(0, 200)}' does not exist. GET /v1/models lists those that do.`,
      {
        fields: [{ field: 'model', message: 'is not served here' }],
      },
    );
  }
}
