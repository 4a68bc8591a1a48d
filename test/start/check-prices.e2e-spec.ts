import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { spawnAdmin } from '../setup/run-admin.js';
import { makeTemporaryFolder, type TemporaryFolder } from '../setup/temporary-folder.js';

let folder: TemporaryFolder;
beforeEach(async () => (folder = await makeTemporaryFolder()));
afterEach(() => folder.remove());

const model = (id: string, name: string, price: string) =>
  `  - { id: ${id}, task: embeddings, ${price}targets: [{ baseUrl: 'http://localhost', model: ${name}, apiKeyEnv: UNSET }] }\n`;

const list = {
  sample_spec: { input_cost_per_token: 0.0 },
  'text-embedding-3-small': { input_cost_per_token: 2e-8, output_cost_per_token: 0.0, mode: 'embedding' },
  'mistral/mistral-embed': { input_cost_per_token: 1e-7, mode: 'embedding' },
  'azure/ada': { input_cost_per_token: 1e-7 },
  'other/ada': { input_cost_per_token: 2e-7 },
};

async function check(models: string, prices: unknown = list) {
  const [modelsFile, listFile] = ['models.yaml', 'prices.json'].map((name) => path.join(folder.path, name));
  await writeFile(modelsFile ?? '', models);
  await writeFile(listFile ?? '', typeof prices === 'string' ? prices : JSON.stringify(prices));
  const environment = { DATA_DIR: folder.path, MODELS_FILE: modelsFile ?? '' };
  return spawnAdmin(environment, 'prices', 'check', listFile ?? '');
}

describe('npm run admin -- prices check', () => {
  it('should print which prices differ by model and exit with 1, without keys of upstreams or a database', async () => {
    const models = `models:
${model('small', 'openai/text-embedding-3-small', 'price: { perMillionTokens: 0.03 }, ')}
${model('mistral-embed', 'mistral-embed', 'price: { perMillionTokens: 0.1 }, ')}
${model('free', 'mistral-embed', '')}
${model('ada', 'ada', 'price: { perMillionTokens: 0.1 }, ')}
${model('own', 'own-model', 'price: { perMillionTokens: 5 }, ')}
  - { id: scans, engine: tesseract, price: { perThousandPages: 1 } }
`;
    const { code, printed } = await check(models);
    expect(printed.trimEnd().split('\n')).toEqual([
      'small (openai/text-embedding-3-small): input per million tokens: 0.03 in the models file, 0.02 in the list',
      'free (mistral-embed): no price in the models file',
      'ada: not compared: azure/ada, other/ada have different prices in the list',
      'own (own-model): not in the list',
    ]);
    expect(code).toBe(1);
  });

  it('should exit with 0 if no price differs', async () => {
    const { code, printed } = await check(
      `models:\n${model('small', 'text-embedding-3-small', 'price: { perMillionTokens: "0.020" }, ')}`,
    );
    expect([code, printed]).toEqual([0, 'No price differs.\n']);
  });

  it.each([
    [
      'another currency',
      `currency: EUR\nmodels:\n${model('a', 'a', '')}`,
      list,
      /prices in USD, and the models file in EUR/,
    ],
    ['a list in another format', `models:\n${model('a', 'a', '')}`, '[]', /isn't a price list in LiteLLM's format/],
  ])('should say what is wrong with %s, and exit with 1', async (_title, models, prices, message) => {
    const { code, printed, errors } = await check(models, prices);
    expect([code, printed]).toEqual([1, '']);
    expect(errors).toMatch(message);
  });
});
