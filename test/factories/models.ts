import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ModelDefinition, ModelPrice } from '../../src/config/model-definition.js';

/**
 * Bundled models with prices.
 *
 * @param prices of the one for embeddings, and if given, of the one for OCR
 */
export function pricedModels(...prices: [ModelPrice | undefined, (ModelPrice | undefined)?]): ModelDefinition[] {
  return defaultModels()
    .slice(0, prices.length)
    .map((model, index) => ({ ...model, price: prices[index] }));
}
