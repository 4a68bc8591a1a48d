import { invalidField } from '../../../common/errors/app-error.js';
import type { ModelRequest } from '../../body/model-request.js';
import type { JsonEdit } from '../../json/json-edit.js';
import { type JsonField, JsonScanner } from '../../json/json-scanner.js';
import type { Dialect } from './dialects/dialect.js';

const includeUsage = 'stream_options.include_usage';
/** OpenAI's limit. */
const maxChoices = 128;
/** Responses with fewer tokens are rejected by OpenAI, and say nothing. */
const leastOutput = 16;
/** More than any model can write. */
const maxOutput = 1_000_000_000;
const openObject = 0x7b;
const closeObject = 0x7d;
const space = 0x20;

/** The fields of a request that Keycard reads. The rest stays as the client sent it. */
export interface GenerationFields {
  readonly isStream: boolean;
  /** Whether the client itself asked for usage in the stream. */
  readonly wantsUsage: boolean;
  /** How many responses are generated. */
  readonly choices: number;
  /** How many of them for each one that is returned. */
  readonly choicesPerReturned: number;
  /** The client's limit on the output of each choice, in tokens; undefined without one. */
  readonly maxOutputTokens: number | undefined;
  /** The least that limit may be lowered to, in tokens. Less is useless, or rejected. */
  readonly leastOutputTokens: number;
  /** What an upstream gets instead. */
  readonly edits: (settings: OutputSettings) => JsonEdit[];
}

/** What an upstream is asked for. */
export interface OutputSettings {
  /** The most tokens of each choice: of its model, or fewer. */
  readonly maxOutputTokens: number;
  /** The field for that limit if the client hasn't set one; undefined if the model has the same limit. */
  readonly outputLimitField: string | undefined;
  /** Whether it must be asked for usage in streams. */
  readonly asksForUsage: boolean;
}

/**
 * Reads the fields of a complete body.
 *
 * @throws AppError 400 for a field that Keycard doesn't accept or can't read
 */
export async function readGenerationFields(body: ModelRequest, dialect: Dialect): Promise<GenerationFields> {
  const bytes = await body.readAll();
  const fields = new FieldValues(await body.parseWith(new FieldCollector(wantedBy(dialect))));
  const isStream = fields.boolean('stream') ?? false;
  const wantsUsage = fields.boolean(includeUsage) ?? false;
  for (const name of dialect.accountFields) {
    if (fields.isSet(name)) throw accountField(name, `${name} isn't accepted`);
  }
  if (fields.boolean('store') === true) throw accountField('store', 'store must be false');
  if (fields.boolean('background') === true) throw accountField('background', 'background must be false');
  const choices = Math.max(1, ...dialect.choiceFields.map((name) => fields.count(name, 1, maxChoices) ?? 1));
  const limits = dialect.outputLimitFields.map((name) => fields.count(name, 0, maxOutput) ?? -1);
  const largest = Math.max(...limits);
  const isAsked = isStream && dialect.asksForUsage && !wantsUsage;
  const usageEdit = isAsked ? askForUsage(fields, bytes) : undefined;
  return {
    isStream,
    wantsUsage,
    choices,
    choicesPerReturned: Math.ceil(choices / (fields.count('n', 1, maxChoices) ?? 1)),
    maxOutputTokens: largest === -1 ? undefined : largest,
    leastOutputTokens: Math.max(leastOutput, reservedOutput(fields, dialect) + 1),
    edits: ({ maxOutputTokens, outputLimitField, asksForUsage }) => {
      const edits = [...limitOutput(fields, dialect, maxOutputTokens)];
      if (outputLimitField !== undefined && largest === -1) {
        edits.push(...setField(fields, outputLimitField, String(maxOutputTokens)));
      }
      if (dialect.storesByDefault) edits.push(...setField(fields, 'store', 'false'));
      if (asksForUsage && usageEdit !== undefined) edits.push(usageEdit);
      return edits;
    },
  };
}

/** By dialect, because scanners remember how deep a set of paths is. */
const wantedFields = new Map<Dialect, ReadonlySet<string>>();

function wantedBy(dialect: Dialect): ReadonlySet<string> {
  const known = wantedFields.get(dialect);
  if (known !== undefined) return known;
  const { outputLimitFields, choiceFields, accountFields, reservedOutputField = 'model' } = dialect;
  const common = ['model', 'stream', 'stream_options', includeUsage, 'store', 'background'];
  const wanted = new Set([...common, ...outputLimitFields, ...choiceFields, ...accountFields, reservedOutputField]);
  wantedFields.set(dialect, wanted);
  return wanted;
}

/** Those whose objects live in the upstream's account. */
function accountField(name: string, problem: string): Error {
  return invalidField(
    name,
    `${problem}: it needs what is stored in the upstream's account, which all organizations would share. Send the whole conversation instead.`,
  );
}

class FieldCollector {
  private readonly fields = new Map<string, JsonField>();
  private readonly scanner: JsonScanner;

  constructor(wanted: ReadonlySet<string>) {
    this.scanner = new JsonScanner(wanted, (field) => this.take(field));
  }

  push(chunk: Buffer): void {
    this.scanner.push(chunk);
  }

  end(): ReadonlyMap<string, JsonField> {
    this.scanner.end();
    return this.fields;
  }

  /** Parsers disagree about which one counts, and whether case matters. */
  private take(field: JsonField): void {
    const name = field.path.toLowerCase();
    if (field.path !== name) throw invalidField(name, `${name} must be written in lower case.`);
    if (this.fields.has(name)) throw invalidField(name, `${name} must be given once.`);
    this.fields.set(name, field);
  }
}

/** Null counts as missing, as it does for the vendors. */
class FieldValues {
  constructor(private readonly fields: ReadonlyMap<string, JsonField>) {}

  get(name: string): JsonField | undefined {
    return this.fields.get(name);
  }

  isSet(name: string): boolean {
    const field = this.fields.get(name);
    return field !== undefined && field.value !== null;
  }

  boolean(name: string): boolean | undefined {
    const value = this.fields.get(name)?.value ?? undefined;
    if (!this.isSet(name) || typeof value === 'boolean') return value as boolean | undefined;
    throw invalidField(name, `${name} must be true or false.`);
  }

  count(name: string, min: number, max: number): number | undefined {
    if (!this.isSet(name)) return undefined;
    const value = this.fields.get(name)?.value;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    throw invalidField(name, `${name} must be a whole number from ${min} to ${max}.`);
  }
}

/** The upstream checks it: what it can't read as a number reserves nothing. */
function reservedOutput(fields: FieldValues, { reservedOutputField }: Dialect): number {
  const value = reservedOutputField === undefined ? undefined : fields.get(reservedOutputField)?.value;
  return typeof value === 'number' ? Math.ceil(value) : 0;
}

function limitOutput(fields: FieldValues, { outputLimitFields }: Dialect, limit: number): JsonEdit[] {
  return outputLimitFields.flatMap((name) => {
    const field = fields.get(name);
    if (field === undefined || typeof field.value !== 'number' || field.value <= limit) return [];
    return [{ start: field.start, end: field.end, json: String(limit) }];
  });
}

function setField(fields: FieldValues, name: string, json: string): JsonEdit[] {
  const field = fields.get(name);
  if (field === undefined) return [insertField(fields, name, json)];
  return JSON.stringify(field.value) === json ? [] : [{ start: field.start, end: field.end, json }];
}

function askForUsage(fields: FieldValues, bytes: Buffer): JsonEdit {
  const asked = fields.get(includeUsage);
  if (asked !== undefined) return { start: asked.start, end: asked.end, json: 'true' };
  const options = fields.get('stream_options');
  if (options === undefined) return insertField(fields, 'stream_options', '{"include_usage":true}');
  if (options.value === null) return { start: options.start, end: options.end, json: '{"include_usage":true}' };
  if (bytes[options.start] !== openObject) throw invalidField('stream_options', 'stream_options must be an object.');
  const first = options.start + 1;
  return { start: first, end: first, json: `"include_usage":true${isObjectEmpty(bytes, first) ? '' : ','}` };
}

/** Adds a field after `model`, which every body has. */
function insertField(fields: FieldValues, name: string, json: string): JsonEdit {
  const at = fields.get('model')?.end ?? 0;
  return { start: at, end: at, json: `,${JSON.stringify(name)}:${json}` };
}

/** @param at after the opening brace */
function isObjectEmpty(bytes: Buffer, at: number): boolean {
  let next = at;
  while ((bytes[next] ?? closeObject) <= space) next += 1;
  return bytes[next] === closeObject;
}
