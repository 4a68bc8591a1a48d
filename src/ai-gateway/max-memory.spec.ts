import { readConfig } from '../config/read-config.js';
import { maxMemoryMb } from './max-memory.js';

describe('maxMemoryMb', () => {
  const config = readConfig({});

  it('should add the process, bodies and documents, and OCR workers', () => {
    expect(maxMemoryMb({ ...config, hasEmbeddedDatabase: false })).toBe(512 + 1024 + 4 * 1024);
  });

  it('should follow the settings', () => {
    const settings = { ...config, ocrWorkerMemoryMb: 384, embeddingsCacheMb: 100, ocrWorkers: 2 };
    expect(maxMemoryMb({ ...settings, hasEmbeddedDatabase: true })).toBe(512 + 1024 + 100 + 2 * 384 + 512);
  });
});
