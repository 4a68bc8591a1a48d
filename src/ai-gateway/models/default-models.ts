import type { ModelDefinition } from '../../config/model-definition.js';
import { engineLanguages } from '../../engines/engine-definition.js';

/**
 * The embedded models, which are served without a models file.
 *
 * @param ocrLanguages `auto`, or codes such as `eng`, `deu`
 */
export function defaultModels(ocrLanguages: readonly string[] | 'auto' = 'auto'): ModelDefinition[] {
  return [
    {
      id: 'universal-sentence-encoder-lite',
      aliases: [],
      task: 'embeddings',
      ownedBy: 'keycard',
      // arXiv 1803.11175
      createdSeconds: 1_522_281_600,
      languages: engineLanguages['universal-sentence-encoder-lite'],
      servedBy: { engine: 'universal-sentence-encoder-lite' },
    },
    {
      id: 'tesseract',
      aliases: [],
      task: 'ocr',
      ownedBy: 'keycard',
      // Tesseract 5.0
      createdSeconds: 1_638_230_400,
      servedBy: { engine: 'tesseract', languages: ocrLanguages },
    },
  ];
}
