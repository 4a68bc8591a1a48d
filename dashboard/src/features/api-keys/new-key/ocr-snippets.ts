import { quoteForShell } from '../../../lib/quote-for-shell.js';
import type { Snippet } from '../../../ui/snippet.js';
import { quote, type SnippetOptions } from './snippets.js';

const fileName = 'document.pdf';

type OcrSnippetOptions = Omit<SnippetOptions, 'model'> & { model: string };

/** Creates code snippets that read a document. The OpenAI clients have no method for OCR. */
export function createOcrSnippets(options: OcrSnippetOptions): Snippet[] {
  return [
    { language: 'curl', code: curlCommand(options) },
    { language: 'Node.js', code: nodeProgram(options) },
    { language: 'Python', code: pythonProgram(options) },
  ];
}

function curlCommand({ origin, apiKey, model }: OcrSnippetOptions): string {
  return [
    `curl ${quoteForShell(`${origin}/v1/ocr`)}`,
    `-H ${quoteForShell(`Authorization: Bearer ${apiKey}`)}`,
    `-F ${quoteForShell(`model=${model}`)}`,
    `-F file=@${fileName}`,
  ].join(' \\\n  ');
}

function nodeProgram({ origin, apiKey, model }: OcrSnippetOptions): string {
  return [
    'import { openAsBlob } from "node:fs";',
    '',
    'const form = new FormData();',
    `form.set("model", ${quote(model)});`,
    `form.set("file", await openAsBlob("${fileName}"), "${fileName}");`,
    `const response = await fetch(${quote(`${origin}/v1/ocr`)}, {`,
    '  method: "POST",',
    `  headers: { Authorization: ${quote(`Bearer ${apiKey}`)} },`,
    '  body: form,',
    '});',
    'const { pages } = await response.json();',
    'console.log(pages[0].markdown);',
  ].join('\n');
}

function pythonProgram({ origin, apiKey, model }: OcrSnippetOptions): string {
  return [
    '# pip install requests',
    'import requests',
    '',
    `with open("${fileName}", "rb") as file:`,
    '    response = requests.post(',
    `        ${quote(`${origin}/v1/ocr`)},`,
    `        headers={"Authorization": ${quote(`Bearer ${apiKey}`)}},`,
    `        data={"model": ${quote(model)}},`,
    '        files={"file": file},',
    '    )',
    'print(response.json()["pages"][0]["markdown"])',
  ].join('\n');
}
