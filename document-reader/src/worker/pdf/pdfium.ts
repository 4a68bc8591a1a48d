import { PDFiumModule } from '@hyzyla/pdfium';
import type { Box } from '../../page.js';

/** Size of `FPDF_LIBRARY_CONFIG`: a version, and fields that version 2 doesn't require. */
const configBytes = 32;
const configVersion = 2;

/** Emscripten options that the package's types don't include. */
const silent: Parameters<typeof PDFiumModule>[0] & { print: () => void; printErr: () => void } = {
  print: () => undefined,
  printErr: () => undefined,
};

type TypedPdfium = Awaited<ReturnType<typeof PDFiumModule>>;

/**
 * The compiled PDFium: C functions, with pointers as numbers. The package's classes aren't used, because they don't
 * provide the boxes of characters and keep pages open.
 */
export interface Pdfium extends Omit<TypedPdfium, '_FPDF_InitLibraryWithConfig'> {
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
  /** Writes four doubles. */
  readonly _FPDFText_GetCharBox: (
    textPage: number,
    index: number,
    leftPointer: number,
    rightPointer: number,
    bottomPointer: number,
    topPointer: number,
  ) => number;
  /** Returns the size before the transform of the text. */
  readonly _FPDFText_GetFontSize: (textPage: number, index: number) => number;
  /** Writes six floats. */
  readonly _FPDFText_GetMatrix: (textPage: number, index: number, matrixPointer: number) => number;
  /** Writes four floats. */
  readonly _FPDFPageObj_GetBounds: (
    object: number,
    leftPointer: number,
    bottomPointer: number,
    rightPointer: number,
    topPointer: number,
  ) => number;
  readonly _FPDFFormObj_CountObjects: (object: number) => number;
  readonly _FPDFFormObj_GetObject: (object: number, index: number) => number;
  /** Returns a clip path, which isn't freed. */
  readonly _FPDFPageObj_GetClipPath: (object: number) => number;
  readonly _FPDFClipPath_CountPaths: (clipPath: number) => number;
  readonly _FPDFClipPath_CountPathSegments: (clipPath: number, index: number) => number;
  readonly _FPDFClipPath_GetPathSegment: (clipPath: number, index: number, segment: number) => number;
  /** Writes two floats. */
  readonly _FPDFPathSegment_GetPoint: (segment: number, xPointer: number, yPointer: number) => number;
  /** Writes six floats. Returns 0 on failure. */
  readonly _FPDFPageObj_GetMatrix: (object: number, pointer: number) => number;
  /** Merges annotations and form fields into the page. Returns 0 on failure. */
  readonly _FPDFPage_Flatten: (page: number, usage: number) => number;
}

export async function loadPdfium(): Promise<Pdfium> {
  // The package declares the configuration as an object, but PDFium takes a pointer.
  const pdfium: Omit<TypedPdfium, '_FPDF_InitLibraryWithConfig'> & object = await PDFiumModule(silent);
  initialize(pdfium as Pdfium);
  return pdfium as Pdfium;
}

function initialize(pdfium: Pdfium): void {
  withMemory(pdfium, configBytes, (pointer) => {
    pdfium.HEAPU8.fill(0, pointer, pointer + configBytes);
    viewMemory(pdfium).setInt32(pointer, configVersion, true);
    pdfium._FPDF_InitLibraryWithConfig(pointer);
  });
}

/** PDFium has run out of memory. */
export class OutOfMemoryError extends Error {
  override name = 'OutOfMemoryError';
}

/**
 * Allocates PDFium memory, to be freed with {@link free}.
 *
 * @throws OutOfMemoryError
 */
export function allocate(pdfium: Pdfium, byteLength: number): number {
  const pointer = pdfium.wasmExports.malloc(byteLength);
  if (pointer === 0) throw new OutOfMemoryError(`PDFium cannot allocate ${byteLength} bytes.`);
  return pointer;
}

export function free(pdfium: Pdfium, pointer: number): void {
  pdfium.wasmExports.free(pointer);
}

/**
 * Allocates PDFium memory for the duration of `use`.
 *
 * @throws OutOfMemoryError
 */
export function withMemory<Result>(pdfium: Pdfium, byteLength: number, use: (pointer: number) => Result): Result {
  const pointer = allocate(pdfium, byteLength);
  try {
    return use(pointer);
  } finally {
    free(pdfium, pointer);
  }
}

/** Returns a view of PDFium's memory. Don't keep it: the memory moves when it grows. */
export function viewMemory({ HEAPU8 }: Pdfium): DataView {
  return new DataView(HEAPU8.buffer);
}

/** Returns the displayed size of a page in points, after its rotation. */
export function pageSize(pdfium: Pdfium, page: number): { width: number; height: number } {
  return { width: pdfium._FPDF_GetPageWidth(page), height: pdfium._FPDF_GetPageHeight(page) };
}

const integerBytes = 4;
/** Resolution of display coordinates, which are integers. */
export const stepsPerPoint = 20;
/** Length of the measured vectors. Long enough to make rounding errors negligible. */
const vectorPoints = 1_000;

/** Returns the transform from page coordinates to the page as displayed: rotated, cropped, and with y pointing down. */
export function displayTransform(pdfium: Pdfium, page: number): (box: Box) => Box {
  const origin = toDisplayPoint(pdfium, page, 0, 0);
  const [rightX, rightY] = subtract(toDisplayPoint(pdfium, page, vectorPoints, 0), origin);
  const [upX, upY] = subtract(toDisplayPoint(pdfium, page, 0, vectorPoints), origin);
  const transform = (x: number, y: number) => ({
    x: origin[0] + (rightX * x + upX * y) / vectorPoints,
    y: origin[1] + (rightY * x + upY * y) / vectorPoints,
  });
  return ({ left, top, right, bottom }) => {
    const [corner, opposite] = [transform(left, top), transform(right, bottom)];
    return {
      left: Math.min(corner.x, opposite.x),
      right: Math.max(corner.x, opposite.x),
      top: Math.min(corner.y, opposite.y),
      bottom: Math.max(corner.y, opposite.y),
    };
  };
}

type Point = readonly [x: number, y: number];

function subtract(left: Point, right: Point): Point {
  return [left[0] - right[0], left[1] - right[1]];
}

function toDisplayPoint(pdfium: Pdfium, page: number, x: number, y: number): Point {
  const { width, height } = pageSize(pdfium, page);
  return withMemory(pdfium, 2 * integerBytes, (pointer) => {
    const size = [Math.round(width * stepsPerPoint), Math.round(height * stepsPerPoint)] as const;
    pdfium._FPDF_PageToDevice(page, 0, 0, ...size, 0, x, y, pointer, pointer + integerBytes);
    const memory = viewMemory(pdfium);
    return [memory.getInt32(pointer, true), memory.getInt32(pointer + integerBytes, true)];
  });
}
