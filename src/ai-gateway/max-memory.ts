import { maxDefaultThreads } from '../engines/default-threads.js';
import { bodyMemoryBytes } from './ocr/body/document-limit.js';

const megabyte = 1024 * 1024;

/** The process with its code, connections and embedding threads; measured: 490 MB at most on two processors. */
const processMb = 512;
/** 128 MB of shared buffers, and its processes. */
const embeddedDatabaseMb = 512;

interface MemorySettings {
  /** `OCR_WORKER_MEMORY_MB` */
  readonly ocrWorkerMemoryMb: number;
  /** `EMBEDDINGS_CACHE_MB` */
  readonly embeddingsCacheMb: number;
  readonly hasEmbeddedDatabase: boolean;
  /** By default, as many as on a machine with many processors. */
  readonly ocrWorkers?: number;
}

/**
 * Returns the most memory that one service process, its OCR workers and its embedded database use, in megabytes. Memory
 * limits of containers must cover it: the kernel would end OCR workers otherwise, and in the end the service.
 */
export function maxMemoryMb({
  ocrWorkerMemoryMb,
  embeddingsCacheMb,
  hasEmbeddedDatabase,
  ocrWorkers = maxDefaultThreads,
}: MemorySettings): number {
  const own = processMb + bodyMemoryBytes / megabyte + embeddingsCacheMb;
  return own + ocrWorkers * ocrWorkerMemoryMb + (hasEmbeddedDatabase ? embeddedDatabaseMb : 0);
}
