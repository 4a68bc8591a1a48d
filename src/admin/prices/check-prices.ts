import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../common/errors/error-utils.js';
import { taskDefinitions } from '../../common/rules/tasks.js';
import type { ModelDefinition } from '../../config/model-definition.js';
import { type AdminCommand, CommandError, DifferencesFound } from '../admin-command.js';
import { comparePrices, hasPriceFor } from './compare-prices.js';
import { findEntries, parsePriceList, type PriceList } from './price-list.js';

/** The currency of LiteLLM's list. */
const listCurrency = 'USD';

export const checkPrices: AdminCommand = {
  parameters: ['FILE'],
  description: "Compare the models file's prices with a price list in LiteLLM's format; exit with 1 if they differ.",
  audited: [],
  run: async ({ config: { modelsFile, dataDir } }, [file = '']) => {
    if (modelsFile === undefined) throw new CommandError('MODELS_FILE must be set: the bundled models have no prices.');
    const list = await readList(file);
    // Loaded only here, because its parser would slow down every command.
    const { readModelsFile } = await import('../../ai-gateway/models/models-file/read-models-file.js');
    // Keys of upstreams aren't needed to compare prices.
    const context = {
      readSecret: () => 'unused',
      downloadFolder: path.join(dataDir, 'models'),
      ocrLanguages: 'auto',
    } as const;
    const { models, currency } = readModelsFile(modelsFile, context);
    if (currency !== listCurrency) {
      throw new CommandError(`The list has prices in ${listCurrency}, and the models file in ${currency}.`);
    }
    const compared = models.flatMap((model) => compareModel(model, list));
    const lines = compared.flatMap(({ lines: own }) => own).join('\n');
    if (compared.some(({ differs }) => differs)) throw new DifferencesFound(lines);
    return [lines, 'No price differs.'].filter((line) => line !== '').join('\n');
  },
};

async function readList(file: string): Promise<PriceList> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(`${file} can't be read (${errorCode(error) ?? 'unknown reason'}).`);
  }
  const list = parsePriceList(text);
  if (list === undefined)
    throw new CommandError(`${file} isn't a price list in LiteLLM's format, a JSON object of models.`);
  return list;
}

interface Comparison {
  lines: string[];
  differs: boolean;
}

/** Compares each upstream's model. Models inside Keycard have no upstream, so no list has their price. */
function compareModel({ id, task, price, servedBy }: ModelDefinition, list: PriceList): Comparison[] {
  if (!('targets' in servedBy)) return [];
  const { meters } = taskDefinitions[task];
  const names = new Set(servedBy.targets.map(({ model }) => model));
  return Array.from(names, (name): Comparison => {
    const label = name === id ? id : `${id} (${name})`;
    const note = (text: string) => ({ lines: [`${label}: ${text}`], differs: false });
    const entries = findEntries(list, name).filter((entry) => hasPriceFor(meters, entry.price));
    const [first, ...others] = entries;
    if (first === undefined) return note('not in the list');
    if (others.some((other) => comparePrices(meters, first.price, other.price).length > 0)) {
      return note(`not compared: ${entries.map((entry) => entry.name).join(', ')} have different prices in the list`);
    }
    if (price === undefined) return { lines: [`${label}: no price in the models file`], differs: true };
    const differences = comparePrices(meters, price, first.price);
    return { lines: differences.map((difference) => `${label}: ${difference}`), differs: differences.length > 0 };
  });
}
