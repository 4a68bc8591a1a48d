import { Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceConfig } from '../config/service-config.js';
import type { EngineDefinition } from '../config/model-definition.js';
import type { EmbeddingEngine } from './embeddings/embedding-engine.js';
import type { OcrEngine } from './ocr/ocr-engine.js';
import { TransformersEngine } from './embeddings/transformers/transformers.engine.js';
import { TesseractEngine } from './ocr/tesseract/tesseract.engine.js';
import { UniversalSentenceEncoderEngine } from './embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';

type ServedByEngine =
  { task: 'embeddings'; servedBy: { engine: EmbeddingEngine } } | { task: 'ocr'; servedBy: { engine: OcrEngine } };

/** The embedded engines; each is loaded when it is first used, and shared by the models that define it alike. */
@Injectable()
export class Engines implements OnApplicationShutdown {
  private readonly engines = new Map<string, ServedByEngine>();

  constructor(@Inject(ServiceConfig) private readonly config: Pick<ServiceConfig, 'ocrWorkerMemoryMegabytes'>) {}

  /** The engine that a model is defined by. */
  get(definition: EngineDefinition): ServedByEngine {
    const identity = JSON.stringify(definition);
    const known = this.engines.get(identity) ?? create(definition, this.config);
    this.engines.set(identity, known);
    return known;
  }

  /** Whether there are engines, and all of them have failed. They are tried again in the background. */
  haveAllFailed(): boolean {
    const engines = this.all();
    return engines.length > 0 && engines.every((engine) => engine.state() === 'failed');
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all().map((engine) => engine.close()));
  }

  private all(): (EmbeddingEngine | OcrEngine)[] {
    return Array.from(this.engines.values(), ({ servedBy }) => servedBy.engine);
  }
}

const megabyte = 1024 * 1024;

function create(
  definition: EngineDefinition,
  { ocrWorkerMemoryMegabytes }: Pick<ServiceConfig, 'ocrWorkerMemoryMegabytes'>,
): ServedByEngine {
  switch (definition.engine) {
    case 'universal-sentence-encoder-lite':
      return { task: 'embeddings', servedBy: { engine: new UniversalSentenceEncoderEngine() } };
    case 'tesseract':
      return {
        task: 'ocr',
        servedBy: {
          engine: new TesseractEngine({
            languages: definition.languages,
            workerMemoryBytes: ocrWorkerMemoryMegabytes * megabyte,
          }),
        },
      };
    case 'transformers':
      return { task: 'embeddings', servedBy: { engine: new TransformersEngine(definition.options) } };
  }
}

@Module({ providers: [Engines], exports: [Engines] })
export class EnginesModule {}
