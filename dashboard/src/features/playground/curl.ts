import { quoteForShell } from '../../lib/quote-for-shell.js';
import { documentField } from './ocr/document-field.js';

interface EmbeddingsCommand {
  /** The URL of the service, without a trailing slash. */
  origin: string;
  model: string;
  texts: string[];
}

interface OcrCommand {
  origin: string;
  model: string;
  file: Pick<File, 'name' | 'type'>;
}

const authorization = `-H "Authorization: Bearer $KEYCARD_API_KEY"`;

/** Returns a command that embeds the texts. */
export function embeddingsCommand({ origin, model, texts }: EmbeddingsCommand): string {
  const body = JSON.stringify({ model, input: texts }, null, 2);
  return toCommand([
    `curl ${quoteForShell(`${origin}/v1/embeddings`)}`,
    authorization,
    `-H 'Content-Type: application/json'`,
    `-d ${quoteForShell(body)}`,
  ]);
}

/** Returns a command that reads the document. curl strips the line breaks that `base64` adds on some systems. */
export function ocrCommand({ origin, model, file }: OcrCommand): string {
  const field = documentField(file);
  const request = toCommand([
    `curl ${quoteForShell(`${origin}/v1/ocr`)}`,
    authorization,
    `-H 'Content-Type: application/json'`,
    '-d @- <<END',
  ]);
  return [
    request,
    '{',
    `  "model": ${quoteForHereDocument(JSON.stringify(model))},`,
    '  "document": {',
    `    "type": "${field}",`,
    `    "${field}": "data:${file.type};base64,$(base64 < ${quoteForShell(file.name)})"`,
    '  }',
    '}',
    'END',
  ].join('\n');
}

function quoteForHereDocument(text: string): string {
  return text.replace(/[\\$`]/g, '\\$&');
}

function toCommand(parts: string[]): string {
  return parts.join(' \\\n  ');
}
