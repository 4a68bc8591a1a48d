import { toDecimal, toInteger, fromInteger } from '../../common/money/decimal.js';
import type { TokenKind } from '../../common/rules/price-rules.js';
import type { ModelPrice, TokenPrices } from '../../config/model-definition.js';

/*
 * Price lists in LiteLLM's format: a JSON object with an entry for each model, whose prices are numbers per token, in US
 * dollars.
 */

/** An entry of the list. */
type Entry = Readonly<Record<string, unknown>>;
export type PriceList = ReadonlyMap<string, Entry>;

const kindsOfFields: Readonly<Record<string, TokenKind>> = {
  input_cost_per_token: 'input',
  cache_read_input_token_cost: 'cachedInput',
  cache_creation_input_token_cost: 'cacheWrite',
  cache_creation_input_token_cost_above_1hr: 'cacheWrite1h',
  output_cost_per_token: 'output',
  output_cost_per_reasoning_token: 'reasoning',
};

/** Such as `input_cost_per_token_above_200k_tokens`. */
const aboveField = /^(?<field>.+)_above_(?<thousands>\d+)k_tokens$/;

/** @returns undefined unless it's an object of objects */
export function parsePriceList(text: string): PriceList | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(list)) return undefined;
  const entries = Object.entries(list).filter((entry): entry is [string, Entry] => isObject(entry[1]));
  return entries.length === 0 ? undefined : new Map(entries);
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Finds the entries of an upstream's model: the one with its name, or those whose name differs only by the provider before
 * it, such as `azure/gpt-4o` and `gpt-4o`.
 */
export function findEntries(list: PriceList, model: string): { name: string; price: ModelPrice }[] {
  const bare = withoutProvider(model);
  const names = [model, bare].filter((name) => list.has(name)).slice(0, 1);
  if (names.length === 0) names.push(...[...list.keys()].filter((name) => withoutProvider(name) === bare));
  return names.map((name) => ({ name, price: toPrice(list.get(name) ?? {}) }));
}

const withoutProvider = (name: string) => name.slice(name.lastIndexOf('/') + 1);

function toPrice(entry: Entry): ModelPrice {
  const tokens: Partial<Record<TokenKind, string>> = {};
  const tiers = new Map<number, Partial<Record<TokenKind, string>>>();
  for (const [name, value] of Object.entries(entry)) {
    const { field = name, thousands } = aboveField.exec(name)?.groups ?? {};
    const kind = Object.hasOwn(kindsOfFields, field) ? kindsOfFields[field] : undefined;
    const price = multiply(value, 6);
    if (kind === undefined || price === undefined) continue;
    if (thousands === undefined) {
      tokens[kind] = price;
      continue;
    }
    const inputTokens = 1000 * Number(thousands);
    tiers.set(inputTokens, { ...tiers.get(inputTokens), [kind]: price });
  }
  const above = Array.from(tiers, ([inputTokens, perMillionTokens]) => ({ inputTokens, perMillionTokens }));
  return {
    perMillionTokens: tokens satisfies TokenPrices,
    perRequest: multiply(entry['input_cost_per_request'], 0),
    perThousandPages: multiply(entry['ocr_cost_per_page'], 3),
    above: above.sort((one, other) => one.inputTokens - other.inputTokens),
  };
}

/** Multiplies a number of the list by a power of ten, exactly. */
function multiply(value: unknown, exponent: number): string | undefined {
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const decimal = toDecimal(value);
  if (decimal === undefined) return undefined;
  const decimals = 30 + exponent;
  return fromInteger(toInteger(decimal, decimals) * 10n ** BigInt(exponent), decimals);
}
