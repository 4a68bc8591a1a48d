import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { defaultModels } from '../../src/ai-gateway/models/default-models.js';
import { drawDigitalPdf } from '../../document-reader/test/documents/draw-pdf.js';
import { createAccount, rightPassword } from '../factories/accounts.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';
import { useTestApp } from '../setup/use-test-app.js';
import type { ClientReport } from './clients/run-clients.js';
import { clients, problems } from './clients/sources.js';
import { runNode } from './run-node.js';

describe('Clients generated from /openapi.json', () => {
  const service = useTestApp({ config: { models: defaultModels() } });
  let folder: TemporaryFolder;
  let report: ClientReport;

  beforeAll(async () => {
    folder = await makeTemporaryFolder();
    const { email } = await createAccount(service);
    const document = path.join(folder.path, 'document.pdf');
    await writeFile(document, await drawDigitalPdf([{ passages: ['Uploaded by a generated client'] }]));
    const script = path.resolve('build/test/contract/clients/run-clients.js');
    const { output } = await runNode([script, folder.path, service.url, email, rightPassword, document]);
    report = JSON.parse(output) as ClientReport;
  }, 120_000);
  afterAll(() => folder.remove());

  it('should compile under strict without casts', () => {
    const messages = Object.entries(report.messages).filter(([file]) => !file.startsWith('problem-'));
    expect(messages).toEqual([]);
  });

  it('should report each problem', () => {
    const reported = problems.map((_, index) => report.messages[`problem-${index}.ts`]);
    expect(reported).toEqual(problems.map(([, word]) => [expect.stringContaining(word) as string]));
  });

  it.each(Object.keys(clients))('should sign in, page, embed, upload a document and sign out (%s)', (name) => {
    expect(report.outcomes[name]).toEqual({
      names: expect.arrayContaining([name.replace(/-client$/, '')]) as string[],
      dimensions: 512,
      markdown: 'Uploaded by a generated client',
      afterSignOut: 401,
    });
  });
});
