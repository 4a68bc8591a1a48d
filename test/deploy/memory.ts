import { bodyMemoryBytes } from '../../src/ai-gateway/ocr/body/document-limit.js';
import { readConfig } from '../../src/config/read-config.js';
import { maxDefaultThreads } from '../../src/engines/default-threads.js';

const megabyte = 1024 * 1024;

/** The service without bodies and OCR workers. It was measured at 490 MB with two OCR workers. */
const serviceBytes = 512 * megabyte;

/** The most memory that a replica uses with default settings, on a machine with many processors. */
export function maxReplicaBytes(): number {
  return serviceBytes + bodyMemoryBytes + maxDefaultThreads * readConfig({}).ocrWorkerMemoryMb * megabyte;
}

/** Reads a size as Compose (`6g`) or Kubernetes (`6Gi`) writes it. */
export function bytesOf(size: string): number {
  const [, count, unit = ''] = /^(\d+)([mg])i?$/i.exec(size) ?? [];
  return Number(count) * (unit.toLowerCase() === 'g' ? 1024 * megabyte : megabyte);
}
