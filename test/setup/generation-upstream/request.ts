export type Dialect = 'chat/completions' | 'completions' | 'responses' | 'messages';

export const dialects: Dialect[] = ['chat/completions', 'completions', 'responses', 'messages'];

interface Tool {
  name?: string;
  function?: { name: string };
}

interface Format {
  type: string;
}

/** The fields of all dialects that decide what is generated. */
export interface GenerationRequest {
  model: string;
  stream?: boolean;
  stream_options?: { include_usage?: boolean; include_obfuscation?: boolean } | null;
  n?: number | null;
  best_of?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  max_output_tokens?: number | null;
  messages?: unknown;
  prompt?: unknown;
  input?: unknown;
  system?: unknown;
  instructions?: unknown;
  tools?: Tool[] | null;
  response_format?: Format | null;
  text?: { format?: Format } | null;
  output_config?: { format?: Format } | null;
  output_format?: Format | null;
  logprobs?: boolean | number | null;
  include?: string[] | null;
}

/** Returns all text of a request that the model reads, without files. */
export function textOf(request: GenerationRequest): string {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null) {
      const { text, content, arguments: argumentText, output, input } = value as Record<string, unknown>;
      [text, content, argumentText, output, input].forEach(collect);
    }
  };
  [request.system, request.instructions, request.messages, request.prompt, request.input].forEach(collect);
  return texts.join('\n');
}

/** The most output tokens for each choice. */
export function outputCapOf(request: GenerationRequest, dialect: Dialect): number {
  const cap = request.max_completion_tokens ?? request.max_output_tokens ?? request.max_tokens;
  return cap ?? (dialect === 'completions' ? 16 : Infinity);
}

/** Returns the tool that the model calls: the first one, until the request has a result. */
export function calledTool(request: GenerationRequest): string | undefined {
  const [tool] = request.tools ?? [];
  const conversation = JSON.stringify(request.messages ?? request.input ?? null);
  const hasResult = /"role":"tool"|"type":"(tool_result|function_call_output)"/.test(conversation);
  return hasResult ? undefined : (tool?.function?.name ?? tool?.name);
}

export function wantsJson(request: GenerationRequest): boolean {
  const { response_format, text, output_config, output_format } = request;
  const formats = [response_format, text?.format, output_config?.format, output_format];
  return formats.some((format) => format?.type.startsWith('json') ?? false);
}

export function wantsLogprobs({ logprobs, include }: GenerationRequest): boolean {
  const isAsked = typeof logprobs === 'number' || logprobs === true;
  return isAsked || (include?.includes('message.output_text.logprobs') ?? false);
}
