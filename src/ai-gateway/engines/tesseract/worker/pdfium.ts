import { PDFiumModule } from '@hyzyla/pdfium';

type Typed = Awaited<ReturnType<typeof PDFiumModule>>;

/**
 * PDFium as it was compiled: functions of C, pointers as numbers. The package's own classes are not used, since they
 * have no boxes of characters and keep pages open.
 */
export interface Pdfium extends Typed {
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
  const pdfium = (await PDFiumModule({})) as Pdfium;
  pdfium._FPDF_InitLibraryWithConfig({ version: 2 });
  return pdfium;
}

/**
 * Lends memory of PDFium's to `use`.
 *
 * @throws when there is none left
 */
export function withMemory<Result>(pdfium: Pdfium, byteLength: number, use: (pointer: number) => Result): Result {
  const pointer = pdfium.wasmExports.malloc(byteLength);
  if (pointer === 0) throw new Error('PDFium has no memory left.');
  try {
    return use(pointer);
  } finally {
    pdfium.wasmExports.free(pointer);
  }
}

/** PDFium's memory as numbers. Not to be kept: when the memory grows, it moves. */
export function viewMemory({ HEAPU8 }: Pdfium): DataView {
  return new DataView(HEAPU8.buffer);
}
