/*
 * A worker that a hostile document has taken over. It tries to access its parent, and reports what was possible. The
 * document is a {@link PryingDocument}. If that is passed as an argument instead, it runs as a program of its own.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
// Blocks image loaders.
import '../src/worker/image/image-document.js';
import type { WorkerSettings } from '../src/worker-messages.js';
import { serveRequests } from '../src/worker-pipe.js';

export interface PryingDocument {
  /** Files that only the parent can read. */
  readonly files: readonly string[];
  /** A Unix socket that only the parent can open. */
  readonly socket: string;
  /** A folder that every user can write to. */
  readonly folder: string;
}

export interface PryingReport {
  readonly pid: number;
  readonly uid: number | undefined;
  /** Attempts that should have failed. */
  readonly succeeded: readonly string[];
}

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');

/** @param isRestricted whether the process runs with Node's permission model, which doesn't apply to native code */
async function pry({ files, socket, folder }: PryingDocument, isRestricted: boolean): Promise<PryingReport> {
  const attempts: [name: string, attempt: () => unknown][] = [
    ...files.map((file): [string, () => unknown] => [`read ${file}`, () => readFileSync(file)]),
    ['read the environment of the parent', () => readFileSync(`/proc/${process.ppid}/environ`)],
    ['read the memory of the parent', () => readFileSync(`/proc/${process.ppid}/maps`)],
    ['signal the parent', () => process.kill(process.ppid, 0)],
    ['become root', () => process.setuid?.(0)],
    ['open the socket', () => open(socket)],
    ['read inherited files', () => requireAny([50, 51].filter((descriptor) => beginningOf(descriptor) === 'secret'))],
    ['decode SVG', () => sharp(svg).png().toBuffer()],
  ];
  // Prevented by Node's permissions, as any user.
  if (isRestricted) {
    attempts.push(
      ['list /', () => readdirSync('/')],
      ['write a file', () => writeFileSync(path.join(folder, 'written'), '')],
      ['run a program', () => execFileSync('/bin/sh', ['-c', 'true'])],
    );
  }
  const succeeded: string[] = [];
  for (const [name, attempt] of attempts) {
    try {
      await attempt();
      succeeded.push(name);
    } catch {
      // Expected.
    }
  }
  return { pid: process.pid, uid: process.getuid?.(), succeeded };
}

function open(socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = connect(socket, () => {
      connection.destroy();
      resolve();
    }).once('error', reject);
  });
}

function requireAny(items: readonly unknown[]): void {
  if (items.length === 0) throw new Error('The list is empty.');
}

/** The worker may have files of its own under the same descriptors, so their content counts. */
function beginningOf(descriptor: number): string {
  try {
    const beginning = Buffer.alloc('secret'.length);
    return beginning.toString('utf8', 0, readSync(descriptor, beginning, 0, beginning.length, 0));
  } catch {
    return '';
  }
}

const argument = JSON.parse(process.argv[2] ?? '') as WorkerSettings | PryingDocument;
if ('files' in argument) {
  pry(argument, false).then((report) => console.log(JSON.stringify(report)), console.error);
} else {
  const reports = new Map<number, PryingReport>();
  serveRequests(async (request, document) => {
    if (request.kind === 'close') return { kind: 'closed', memoryBytes: 0 };
    if (request.kind === 'open') {
      reports.set(request.documentId, await pry(JSON.parse(document.toString()) as PryingDocument, true));
      return { kind: 'opened', pageCount: 1 };
    }
    const words = { starts: new Uint32Array(), lengths: new Uint32Array(), confidences: new Float64Array() };
    const markdown = JSON.stringify(reports.get(request.documentId));
    const dimensions = { dpi: 200, width: 1, height: 1 };
    return {
      kind: 'page',
      markdown,
      headerEnd: 0,
      footerStart: markdown.length,
      dimensions,
      words,
      images: [],
      isBlank: true,
      languages: [],
    };
  });
}
