import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import type { EmbeddingEngine } from './embeddings/embedding-engine.js';
import { LanguageCheck } from './embeddings/languages/language-check.js';
import type { EngineDefinition } from './engine-definition.js';
import type { OcrEngine } from './ocr/ocr-engine.js';
import { StaticEngine } from './embeddings/static/static.engine.js';
import { TransformersEngine } from './embeddings/transformers/transformers.engine.js';
import { TesseractEngine } from './ocr/tesseract/tesseract.engine.js';
import { UniversalSentenceEncoderEngine } from './embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';

/** The part of a model that depends on its engine. */
type ServedByEngine =
  { task: 'embeddings'; servedBy: { engine: EmbeddingEngine } } | { task: 'ocr'; servedBy: { engine: OcrEngine } };

/** Settings for all engines. */
export interface EngineSettings {
  /** Memory of each OCR worker. */
  readonly ocrWorkerMemoryMb: number;
  /** Folder with further language data for OCR. */
  readonly ocrDataDir?: string | undefined;
}

/** The embedded engines. Models with the same definition share one, which is loaded when it is first used. */
@Injectable()
export class Engines implements OnApplicationShutdown {
  private readonly engines = new Map<string, ServedByEngine>();

  /** Returns the engine for a definition. `settings` are the same in all calls. */
  get(definition: EngineDefinition, settings: EngineSettings): ServedByEngine {
    const key = JSON.stringify(definition);
    const engine = this.engines.get(key) ?? createEngine(definition, settings);
    this.engines.set(key, engine);
    return engine;
  }

  /** Whether there are engines and all of them have failed. Failed engines are retried in the background. */
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

function createEngine(definition: EngineDefinition, { ocrWorkerMemoryMb, ocrDataDir }: EngineSettings): ServedByEngine {
  switch (definition.engine) {
    case 'universal-sentence-encoder-lite':
      return { task: 'embeddings', servedBy: { engine: new UniversalSentenceEncoderEngine() } };
    case 'tesseract':
      return {
        task: 'ocr',
        servedBy: {
          engine: new TesseractEngine({
            languages: definition.languages,
            dataFolder: ocrDataDir,
            workerMemoryBytes: ocrWorkerMemoryMb * megabyte,
          }),
        },
      };
    case 'static':
      return { task: 'embeddings', servedBy: { engine: new StaticEngine(definition) } };
    case 'transformers':
      return { task: 'embeddings', servedBy: { engine: new TransformersEngine(definition) } };
  }
}

@Module({ providers: [Engines, LanguageCheck], exports: [Engines, LanguageCheck] })
export class EnginesModule {}
