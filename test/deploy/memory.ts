import { bodyMemoryBytes } from '../../src/ai-gateway/tasks/ocr/body/document-limit.js';
import { readConfig } from '../../src/config/read-config.js';
import { maxDefaultThreads } from '../../src/engines/default-threads.js';

const megabyte = 1024 * 1024;

/** The process with its code, connections and embedding threads; measured: 490 MB at most on two processors. */
const processBytes = 512 * megabyte;

/**
 * The most memory that a replica uses with default settings, on a machine with many processors and with an external
 * database. Memory limits must cover it: the kernel would end OCR workers otherwise, and in the end the service.
 */
export const maxReplicaBytes =
  processBytes + bodyMemoryBytes + maxDefaultThreads * readConfig({}).ocrWorkerMemoryMb * megabyte;

/** Reads a size as Compose (`6g`) or Kubernetes (`6Gi`) writes it. */
export function bytesOf(size: string): number {
  const [, count, unit = ''] = /^(\d+)([mg])i?$/i.exec(size) ?? [];
  return Number(count) * (unit.toLowerCase() === 'g' ? 1024 * megabyte : megabyte);
}
