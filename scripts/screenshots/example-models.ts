import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import type { ModelDefinition } from '../../src/config/model-definition.js';

/** In billionths of the currency: 2.00 per million tokens, and 1.00 per thousand pages. */
export const exampleCosts = { token: 2000, page: 1_000_000 };

/** The embedded models, with the prices of the example requests. */
export const exampleModels: ModelDefinition[] = defaultModels().map((model) => {
  const price = model.task === 'ocr' ? { perThousandPages: '1' } : { perMillionTokens: { input: '2' } };
  return { ...model, price };
});
