import { Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { maxDocumentBytes } from '../common/rules/document-limits.js';
import type { EmbeddingEngine } from './embeddings/embedding-engine.js';
import { defaultMaxWaitingWindows } from './embeddings/batching/batch-scheduler.js';
import { LanguageCheck } from './embeddings/languages/language-check.js';
import type { QueueLoad } from './engine-state.js';
import { partOf, type InstanceShare } from '../common/instance-share.js';
import { defaultThreads } from './default-threads.js';
import type { EngineDefinition } from './engine-definition.js';
import type { OcrEngine } from './ocr/ocr-engine.js';
import { StaticEngine } from './embeddings/static/static.engine.js';
import { TransformersEngine } from './embeddings/transformers/transformers.engine.js';
import { maxDocuments, maxDocumentsBytes } from './ocr/admitted-documents.js';
import { requireNativeTesseract } from './ocr/native-program.js';
import { TesseractEngine } from './ocr/tesseract.engine.js';
import { UniversalSentenceEncoderEngine } from './embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js';

/** The part of a model that depends on its engine. */
export type ServedByEngine =
  { task: 'embeddings'; servedBy: { engine: EmbeddingEngine } } | { task: 'ocr'; servedBy: { engine: OcrEngine } };

/** Settings for all engines. */
export interface EngineSettings {
  /** Memory of each OCR worker. */
  readonly ocrWorkerMemoryMb: number;
  /** Folder with further language data for OCR. */
  readonly ocrDataDir?: string | undefined;
  /** Workers divide threads, processes and queues. */
  readonly instanceShare?: InstanceShare | undefined;
}

/** How busy an engine is. */
export interface EngineLoad extends QueueLoad {
  readonly engine: string;
  readonly hasFailed: boolean;
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

  /** How busy each engine is. Models with the same engine but other options are added up. */
  loads(): EngineLoad[] {
    const loads = new Map<string, EngineLoad>();
    for (const [key, { servedBy }] of this.engines) {
      const { engine: name } = JSON.parse(key) as EngineDefinition;
      const { waiting, busyWorkers, workers } = servedBy.engine.load();
      const other = loads.get(name);
      loads.set(name, {
        engine: name,
        waiting: waiting + (other?.waiting ?? 0),
        busyWorkers: busyWorkers + (other?.busyWorkers ?? 0),
        workers: workers + (other?.workers ?? 0),
        hasFailed: servedBy.engine.state() === 'failed' || other?.hasFailed === true,
      });
    }
    return [...loads.values()];
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.all().map((engine) => engine.close()));
  }

  private all(): (EmbeddingEngine | OcrEngine)[] {
    return Array.from(this.engines.values(), ({ servedBy }) => servedBy.engine);
  }
}

const megabyte = 1024 * 1024;
/** Enough for a few organizations. */
const minDocuments = 8;
/** For the largest document of an organization, which gets three quarters if it's the only one. */
const minDocumentsBytes = Math.ceil(maxDocumentBytes / 0.75);

function createEngine(definition: EngineDefinition, settings: EngineSettings): ServedByEngine {
  const { ocrWorkerMemoryMb, ocrDataDir, instanceShare } = settings;
  const threads = partOf('threads' in definition ? definition.threads : defaultThreads(), instanceShare);
  const maxWaiting = partOf(defaultMaxWaitingWindows, instanceShare);
  switch (definition.engine) {
    case 'universal-sentence-encoder-lite': {
      const engine = new UniversalSentenceEncoderEngine({ threads, maxWaitingWindows: maxWaiting });
      return { task: 'embeddings', servedBy: { engine } };
    }
    case 'tesseract':
    case 'tesseract-native': {
      const engine = new TesseractEngine({
        languages: definition.languages,
        nativeProgram: definition.engine === 'tesseract-native' ? requireNativeTesseract() : undefined,
        dataFolder: ocrDataDir,
        workerMemoryBytes: ocrWorkerMemoryMb * megabyte,
        workers: threads,
        maxDocuments: partOf(maxDocuments, instanceShare, minDocuments),
        maxBytes: partOf(maxDocumentsBytes, instanceShare, minDocumentsBytes),
      });
      return { task: 'ocr', servedBy: { engine } };
    }
    case 'static': {
      const engine = new StaticEngine({ ...definition, threads }, { maxWaitingTexts: maxWaiting });
      return { task: 'embeddings', servedBy: { engine } };
    }
    case 'transformers': {
      const engine = new TransformersEngine({ ...definition, threads }, { maxWaitingTexts: maxWaiting });
      return { task: 'embeddings', servedBy: { engine } };
    }
  }
}

@Module({ providers: [Engines, LanguageCheck], exports: [Engines, LanguageCheck] })
export class EnginesModule {}
