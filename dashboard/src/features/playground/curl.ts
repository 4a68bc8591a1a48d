import { quoteForShell } from '../../components/quote-for-shell.js';

interface EmbeddingsCommand {
  /** Where the service is, without a slash at the end. */
  origin: string;
  model: string;
  texts: string[];
}

interface OcrCommand {
  origin: string;
  model: string;
  fileName: string;
}

const authorization = `-H "authorization: Bearer $KEYCARD_API_KEY"`;

/** The command that embeds these texts. */
export function embeddingsCommand({ origin, model, texts }: EmbeddingsCommand): string {
  const body = JSON.stringify({ model, input: texts }, null, 2);
  return toCommand([
    `curl ${quoteForShell(`${origin}/v1/embeddings`)}`,
    authorization,
    `-H 'content-type: application/json'`,
    `-d ${quoteForShell(body)}`,
  ]);
}

/** The command that reads this document. */
export function ocrCommand({ origin, model, fileName }: OcrCommand): string {
  return toCommand([
    `curl ${quoteForShell(`${origin}/v1/ocr`)}`,
    authorization,
    // Not -F: that would read a name such as @owner/model from a file.
    `--form-string ${quoteForShell(`model=${model}`)}`,
    `-F ${quoteForShell(`file=@${quoteForForm(fileName)}`)}`,
  ]);
}

/** curl's own quoting, which a file name needs when it holds what ends a name. */
function quoteForForm(fileName: string): string {
  return /[;,"\\]/.test(fileName) ? `"${fileName.replace(/["\\]/g, '\\$&')}"` : fileName;
}

function toCommand(parts: string[]): string {
  return parts.join(' \\\n  ');
}
