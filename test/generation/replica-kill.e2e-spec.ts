import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type CreatedKey, createApiKey } from '../factories/api-keys.js';
import { createMember } from '../factories/organizations.js';
import { generationBody, sawTerminalEvent, sendGeneration } from '../setup/generation-request.js';
import { type GenerationUpstream, startGenerationUpstream } from '../setup/generation-upstream/generation-upstream.js';
import { dialects } from '../setup/generation-upstream/request.js';
import { scripted } from '../setup/generation-upstream/script.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { toUrl } from '../setup/test-database.js';
import { testJwtSecret } from '../setup/test-app.js';
import { useTestApp } from '../setup/use-test-app.js';
import { runService, type ServiceProcess } from '../start/service-process.js';
import { isExact, noUsage, readRecords, sumBills } from './billing/records.js';

const streams = 100;
/** The replica is killed when so many streams have ended. */
const completed = 40;

const modelsFile = (baseUrl: string) => `
models:
  - { id: vectors, task: embeddings, targets: [{ baseUrl: '${baseUrl}' }] }
  - id: mini
    task: generation
    routes: [chat/completions, completions, responses, messages]
    maxOutputTokens: 4096
    targets: [{ baseUrl: '${baseUrl}' }]
`;

describe('A replica that is killed with 100 streams', () => {
  const service = useTestApp();
  let folder: TemporaryFolder;
  let upstream: GenerationUpstream;
  let replica: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    upstream = await startGenerationUpstream();
    folder = await makeTemporaryFolder();
    const file = path.join(folder.path, 'models.yaml');
    await writeFile(file, modelsFile(upstream.baseUrl));
    replica = runService({
      DATABASE_URL: toUrl(service.database),
      JWT_SECRET: testJwtSecret,
      MODELS_FILE: file,
      LOG_LEVEL: 'error',
    });
    url = await replica.ready;
  });
  afterAll(async () => {
    replica.child.kill('SIGKILL');
    await replica.exited;
    await upstream.stop();
    await folder.remove();
  });

  it('should have recorded every stream whose client saw its end', async () => {
    const member = await createMember(service);
    const keys: CreatedKey[] = [];
    for (let index = 0; index < streams; index++) keys.push(await createApiKey(service, member));
    let ended = 0;
    const send = async ({ id, key }: CreatedKey, index: number) => {
      const dialect = dialects[index % dialects.length] ?? 'responses';
      const prompt = scripted({ label: id, tokens: 20 + 2 * index, delayMilliseconds: 5 });
      const body = generationBody(dialect, 'mini', prompt, { stream: true });
      let wasSeen = false;
      const onText = (text: string) => {
        if (wasSeen || !sawTerminalEvent(dialect, text)) return;
        wasSeen = true;
        ended += 1;
        if (ended === completed) replica.child.kill('SIGKILL');
      };
      await sendGeneration({ url, dialect, key, body, onText });
      return { id, wasSeen };
    };
    const outcomes = await Promise.all(keys.map(send));
    await replica.exited;
    const records = await readRecords(service.database);
    const seen = outcomes.filter(({ wasSeen }) => wasSeen);
    const lost = seen.filter(({ id }) => {
      const bills = upstream.bills.filter(({ label }) => label === id);
      return !isExact(records.get(id) ?? noUsage, sumBills(bills));
    });
    expect(lost).toEqual([]);
    expect(seen.length).toBeGreaterThanOrEqual(completed);
    expect(seen.length).toBeLessThan(streams);
  });
});
