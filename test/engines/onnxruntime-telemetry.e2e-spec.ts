import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

const run = promisify(execFile);
const engineUrl = new URL(
  '../../src/engines/embeddings/universal-sentence-encoder/universal-sentence-encoder.engine.js',
  import.meta.url,
);

const embedOneText = `
  import { UniversalSentenceEncoderEngine } from '${engineUrl.href}';
  const { signal } = new AbortController();
  const engine = new UniversalSentenceEncoderEngine({ threads: 1 });
  await engine.embed(await engine.tokenize(['text'], signal), signal);
  await engine.close();
`;

describe('onnxruntime', () => {
  let home: TemporaryFolder;
  beforeAll(async () => {
    home = await makeTemporaryFolder();
  });
  afterAll(() => home.remove());

  it('should not collect statistics, which it keeps in the home directory and sends to its makers', async () => {
    // Without the variables of a CI system, where it never collects any.
    const env = { HOME: home.path };
    await run(process.execPath, ['--input-type=module', '--eval', embedOneText], { env });
    expect(await readdir(home.path)).toEqual([]);
  });
});
