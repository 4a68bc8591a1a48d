import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeTinyModel } from '../engines/tiny-model.js';
import { call } from '../setup/call.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { createKey } from './create-key.js';
import { runService, type ServiceProcess } from './service-process.js';

const password = 'correct horse battery';
let folder: TemporaryFolder;
let service: ServiceProcess;

beforeEach(async () => {
  folder = await makeTemporaryFolder();
});
afterEach(async () => {
  service.child.kill('SIGTERM');
  await service.exited;
  await folder.remove();
});

async function startWith(models: string, environment: Record<string, string> = {}): Promise<void> {
  const file = path.join(folder.path, 'models.yaml');
  await writeFile(file, models);
  const settings = { DATA_DIR: path.join(folder.path, 'data'), MODELS_FILE: file, ADMIN_PASSWORD: password };
  service = runService({ ...settings, ...environment });
}

describe('Starting Keycard with MODELS_FILE', () => {
  it('should serve the listed models and print an example', async () => {
    await writeTinyModel(path.join(folder.path, 'tiny'));
    await startWith(
      `
models:
  - { id: "acme's/tiny", engine: transformers, options: { source: ./tiny } }
  - { id: remote, task: ocr, targets: [{ baseUrl: 'http://127.0.0.1:9', apiKeyEnv: ACME_KEY }] }
`,
      { ACME_KEY: 'the-secret-value' },
    );
    const url = await service.ready;
    const token = await createKey(url, password);
    const listed = await call(url, 'GET /v1/models', { token });
    expect((listed.body as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual(["acme's/tiny", 'remote']);
    const body = { model: "acme's/tiny", input: 'red apple' };
    expect((await call(url, 'POST /v1/embeddings', { token, body })).status).toBe(200);
    expect(service.printed()).toContain(`-d '{"model":"acme'\\''s/tiny","input":"Hello, world"}'`);
    expect(service.printed()).not.toContain('the-secret-value');
  });

  it('should exit with code 1 before anything else, listing all errors without secrets', async () => {
    await startWith(
      `
models:
  - { id: a, task: ocr, targets: [{ baseUrl: 'http://user:the-secret-value@localhost', apiKeyEnv: NOT_SET }] }
  - { id: b, engine: transformers, options: { source: ./nowhere } }
`,
    );
    expect(await service.exited).toBe(1);
    expect(service.printed().trimEnd().split('\n')).toEqual([
      `Keycard cannot start: MODELS_FILE ${path.join(folder.path, 'models.yaml')} must be corrected:`,
      expect.stringMatching(/^ {2}models\.yaml: models\[0\]\.targets\[0\]\.baseUrl must be an http or https URL/),
      '  models.yaml: models[0].targets[0].apiKeyEnv is NOT_SET, and this environment variable is not set',
      expect.stringMatching(
        /^ {2}models\.yaml: models\[1\]\.options\.source is the folder .*nowhere, which does not exist/,
      ),
    ]);
    expect(existsSync(path.join(folder.path, 'data'))).toBe(false);
  });
});
