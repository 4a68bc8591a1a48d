import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import workerUrl from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';

GlobalWorkerOptions.workerSrc = workerUrl;

/** Files that some documents need, fetched on demand. */
const files = import.meta.glob<string>(
  [
    '/../node_modules/pdfjs-dist/cmaps/*.bcmap',
    '/../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}',
    '/../node_modules/pdfjs-dist/wasm/*.wasm',
  ],
  { query: '?url', import: 'default', eager: true },
);

/** Opens a PDF. Rejects if it's damaged or encrypted, or if the signal is aborted. */
export async function openPdf(file: File, signal: AbortSignal): Promise<PDFDocumentProxy> {
  const data = new Uint8Array(await file.arrayBuffer());
  signal.throwIfAborted();
  const task = getDocument({
    data,
    CMapReaderFactory: CharacterMaps,
    StandardFontDataFactory: LibraryFiles,
    WasmFactory: LibraryFiles,
    useWorkerFetch: false,
    isEvalSupported: false,
    // Don't log warnings about documents to the console.
    verbosity: 0,
  });
  // A task that is destroyed before its worker has started never settles.
  const aborted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Aborted.')), { once: true });
  });
  try {
    return await Promise.race([task.promise, aborted]);
  } catch (error) {
    // Ends the worker.
    await task.destroy();
    throw error;
  }
}

class LibraryFiles {
  fetch({ filename }: { filename: string }): Promise<Uint8Array> {
    return fetchFile(filename);
  }
}

class CharacterMaps {
  async fetch({ name }: { name: string }): Promise<{ cMapData: Uint8Array; isCompressed: true }> {
    return { cMapData: await fetchFile(`${name}.bcmap`), isCompressed: true };
  }
}

/** Fetches a file by its original name; the build adds a hash. */
async function fetchFile(name: string): Promise<Uint8Array> {
  const file = Object.entries(files).find(([path]) => path.endsWith(`/${name}`));
  if (file === undefined) throw new Error(`File ${name} not found.`);
  const response = await fetch(file[1]);
  if (!response.ok) throw new Error(`File ${name} could not be loaded: HTTP ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
