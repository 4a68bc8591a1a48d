import {
  calledTool,
  type Dialect,
  type GenerationRequest,
  outputCapOf,
  textOf,
  wantsJson,
  wantsLogprobs,
} from './request.js';
import { findScript, type Script } from './script.js';

export interface Choice {
  /** One for each token that the client sees. */
  reasoning: string[];
  /** One for each token of the text, or of the tool's arguments. */
  pieces: string[];
  tool: { id: string; name: string } | undefined;
  finish: 'stop' | 'length' | 'tool';
}

/** Tokens; `output` includes `reasoning`, and `input` both `cachedInput` and `cacheWrite`. */
export interface TokenCounts {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  output: number;
  reasoning: number;
}

/** What the upstream will generate for a request. */
export interface Plan {
  dialect: Dialect;
  request: GenerationRequest;
  script: Script;
  /** Those that are returned. */
  choices: Choice[];
  /** Of all choices. */
  counts: TokenCounts;
  hasLogprobs: boolean;
}

/** Words of at least 4 bytes, so that text has fewer tokens than bytes in every way that one may count. */
const words = ['river ', 'stone ', 'grün ', 'cloud ', '東京 ', 'window ', 'paper ', 'garden '];
const defaultJson = '{"city":"Paris","degrees":21}';

/** Splits text into tokens of at least 4 bytes, if it has as many. */
export function toPieces(text: string): string[] {
  const characters = Array.from(text);
  const count = Math.max(1, Math.floor(characters.length / 4));
  return Array.from({ length: count }, (_, place) => {
    return characters.slice(place * 4, place === count - 1 ? undefined : place * 4 + 4).join('');
  });
}

export function planGeneration(dialect: Dialect, request: GenerationRequest, defaults: Script): Plan {
  const text = textOf(request);
  const script = { ...defaults, ...findScript(text) };
  const returned = request.n ?? 1;
  const generated = Math.max(returned, request.best_of ?? 1);
  const all = Array.from({ length: generated }, (_, index) => planChoice(dialect, request, script, index));
  const reasoning = all.reduce((sum, choice) => sum + choice.reasoned, 0);
  const output = all.reduce((sum, { pieces }) => sum + pieces.length, reasoning);
  const input = script.input ?? Math.max(1, Math.floor(Buffer.byteLength(text) / 4));
  const { cachedInput = 0, cacheWrite = 0 } = script;
  const counts = { input, cachedInput, cacheWrite, output, reasoning };
  const hasLogprobs = wantsLogprobs(request);
  return { dialect, request, script, choices: all.slice(0, returned), counts, hasLogprobs };
}

function planChoice(dialect: Dialect, request: GenerationRequest, script: Script, index: number) {
  const tool = calledTool(request);
  const cap = outputCapOf(request, dialect);
  const reasoned = Math.min(script.reasoning ?? 0, cap);
  const wanted = wantedPieces(request, script, tool);
  const pieces = wanted.slice(0, cap - reasoned);
  const isCapped = pieces.length < wanted.length;
  const choice: Choice = {
    reasoning: script.hidesReasoning ? [] : Array.from({ length: reasoned }, (_, place) => wordAt(place + 3)),
    pieces,
    tool: tool === undefined ? undefined : { id: `call_${index}`, name: tool },
    finish: isCapped ? 'length' : tool === undefined ? 'stop' : 'tool',
  };
  return { ...choice, reasoned };
}

function wantedPieces(request: GenerationRequest, script: Script, tool: string | undefined): string[] {
  if (tool !== undefined) return toPieces(script.toolArguments ?? defaultJson);
  if (script.text !== undefined) return script.text.match(/\S+\s*/g) ?? [];
  if (wantsJson(request)) return toPieces(defaultJson);
  return Array.from({ length: script.tokens ?? 8 }, (_, place) => wordAt(place));
}

const wordAt = (place: number) => words[place % words.length] ?? '';

/** Whether server tools add input while the response is generated. */
export const growsInput = (dialect: Dialect, script: Script) =>
  dialect === 'messages' && script.growsInput === true && script.reportsOutputOnly !== true;

/** The input before server tools add to it: one token, and the cached ones. */
export const firstInput = ({ cachedInput, cacheWrite }: TokenCounts) => 1 + cachedInput + cacheWrite;
