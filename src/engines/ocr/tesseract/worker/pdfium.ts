import { PDFiumModule } from '@hyzyla/pdfium';

/** `FPDF_LIBRARY_CONFIG`: a version, and fields of which version 2 needs none. */
const CONFIG_BYTES = 32;
const CONFIG_VERSION = 2;

/** Options of Emscripten, which the package's types leave out. */
const silent: Parameters<typeof PDFiumModule>[0] & { print: () => void; printErr: () => void } = {
  print: () => undefined,
  printErr: () => undefined,
};

type Typed = Awaited<ReturnType<typeof PDFiumModule>>;

/**
 * PDFium as it was compiled: functions of C, pointers as numbers. The package's own classes are not used, since they
 * have no boxes of characters and keep pages open.
 */
export interface Pdfium extends Omit<Typed, '_FPDF_InitLibraryWithConfig'> {
  readonly _FPDF_InitLibraryWithConfig: (configPointer: number) => void;
  readonly _FPDF_PageToDevice: (
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    pageX: number,
    pageY: number,
    deviceXPointer: number,
    deviceYPointer: number,
  ) => number;
  readonly _FPDFText_GetUnicode: (textPage: number, index: number) => number;
  /** Four doubles. */
  readonly _FPDFText_GetCharBox: (
    textPage: number,
    index: number,
    leftPointer: number,
    rightPointer: number,
    bottomPointer: number,
    topPointer: number,
  ) => number;
  /** Four floats. */
  readonly _FPDFPageObj_GetBounds: (
    object: number,
    leftPointer: number,
    bottomPointer: number,
    rightPointer: number,
    topPointer: number,
  ) => number;
  /** Draws annotations and form fields into the page itself; 0 when it has failed. */
  readonly _FPDFPage_Flatten: (page: number, usage: number) => number;
}

export async function loadPdfium(): Promise<Pdfium> {
  // The package declares that the configuration is an object, where PDFium takes a pointer.
  const pdfium: Omit<Typed, '_FPDF_InitLibraryWithConfig'> & object = await PDFiumModule(silent);
  initialize(pdfium as Pdfium);
  return pdfium as Pdfium;
}

function initialize(pdfium: Pdfium): void {
  withMemory(pdfium, CONFIG_BYTES, (pointer) => {
    pdfium.HEAPU8.fill(0, pointer, pointer + CONFIG_BYTES);
    viewMemory(pdfium).setInt32(pointer, CONFIG_VERSION, true);
    pdfium._FPDF_InitLibraryWithConfig(pointer);
  });
}

/** PDFium's memory is used up. */
export class OutOfMemory extends Error {
  override name = 'OutOfMemory';
}

/**
 * Allocates memory of PDFium's; to be freed with {@link free}.
 *
 * @throws OutOfMemory when there is none left
 */
export function allocate(pdfium: Pdfium, byteLength: number): number {
  const pointer = pdfium.wasmExports.malloc(byteLength);
  if (pointer === 0) throw new OutOfMemory(`PDFium cannot allocate ${byteLength} bytes.`);
  return pointer;
}

export function free(pdfium: Pdfium, pointer: number): void {
  pdfium.wasmExports.free(pointer);
}

/**
 * Lends memory of PDFium's to `use`.
 *
 * @throws OutOfMemory when there is none left
 */
export function withMemory<Result>(pdfium: Pdfium, byteLength: number, use: (pointer: number) => Result): Result {
  const pointer = allocate(pdfium, byteLength);
  try {
    return use(pointer);
  } finally {
    free(pdfium, pointer);
  }
}

/** PDFium's memory as numbers. Not to be kept: when the memory grows, it moves. */
export function viewMemory({ HEAPU8 }: Pdfium): DataView {
  return new DataView(HEAPU8.buffer);
}
