import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readModelsFile } from '../../src/ai-gateway/models/models-file/read-models-file.js';
import { errorMessage, errorName } from '../../src/common/errors/error-utils.js';

const secrets: Partial<Record<string, string>> = { ACME_KEY: 'the-secret-value', SPACED_KEY: 'two words' };

export const modelsFileSettings = {
  readSecret: (name: string) => secrets[name],
  downloadFolder: '/downloads',
  ocrLanguages: ['eng'],
};

/** A models file in a new folder for each test. */
export class TestModelsFile {
  folder = '';

  get path(): string {
    return path.join(this.folder, 'models.yaml');
  }

  write(content: string | Buffer): void {
    writeFileSync(this.path, content);
  }

  readAll() {
    return readModelsFile(this.path, modelsFileSettings);
  }

  /** Returns the models in a file with this content. */
  read(content: string | Buffer) {
    this.write(content);
    return this.readAll().models;
  }

  /** The problems reported for a file, without its name. */
  problemsOf(content: string | Buffer): string[] {
    try {
      this.read(content);
    } catch (error) {
      expect(errorName(error)).toBe('StartupError');
      expect(errorMessage(error)).not.toMatch(/the-secret-value|two words/);
      const [heading, ...lines] = errorMessage(error).split('\n  models.yaml: ');
      expect(heading).toContain(`MODELS_FILE ${this.path}`);
      return lines;
    }
    throw new Error('The file was accepted.');
  }
}

export function useModelsFile(): TestModelsFile {
  const file = new TestModelsFile();
  beforeEach(() => {
    file.folder = mkdtempSync(path.join(tmpdir(), 'keycard-models-'));
  });
  afterEach(() => rmSync(file.folder, { recursive: true, force: true }));
  return file;
}

/** A file with one model that has these lines. */
export const modelWith = (lines: string) => `models:\n  - id: m\n    ${lines.replaceAll('\n', '\n    ')}\n`;
