import { areaOf, type Box, meanConfidence, type PageText, scaleBox, type TextLine, type TextWord } from '../../page.js';
import { type Pdfium, pageSize, viewMemory, withMemory, displayTransform, stepsPerPoint } from './pdfium.js';
import type { Raster } from '../image/raster.js';
import type { Recognizer } from '../recognition/recognizer.js';

const floatBytes = 4;
const imageObject = 3;
const formObject = 5;
/** Pages with more objects are drawings. */
const maxObjects = 10_000;
/** Nested forms (PDF's reusable groups of objects) that are deeper are ignored. */
const maxDepth = 5;

/** An image on a page. */
export interface Picture {
  /** In display coordinates. */
  readonly box: Box;
  /** Area relative to that of the page. */
  readonly share: number;
}

/** Returns the images of a page, from large to small. */
export function findPictures(pdfium: Pdfium, page: number): Picture[] {
  const { width, height } = pageSize(pdfium, page);
  const pageArea = width * height * stepsPerPoint ** 2;
  const toDisplay = displayTransform(pdfium, page);
  return findImages(pdfium, page)
    .map(toDisplay)
    .map((box) => ({ box, share: areaOf(box) / pageArea }))
    .sort((left, right) => right.share - left.share);
}

/** Returns the boxes of all images, also of those in forms, in page coordinates, whose y axis points up. */
function findImages(pdfium: Pdfium, page: number): Box[] {
  const images: Box[] = [];
  let remainingObjects = maxObjects;
  const visit = (object: number, toPage: (box: Box) => Box, depth: number) => {
    if (remainingObjects-- <= 0) return;
    const type = pdfium._FPDFPageObj_GetType(object);
    if (type === imageObject) images.push(toPage(boundsOf(pdfium, object)));
    if (type !== formObject || depth === maxDepth) return;
    const transform = matrixOf(pdfium, object);
    const count = Math.min(pdfium._FPDFFormObj_CountObjects(object), remainingObjects);
    for (let index = 0; index < count; index += 1) {
      visit(pdfium._FPDFFormObj_GetObject(object, index), (box) => toPage(transform(box)), depth + 1);
    }
  };
  const count = Math.min(pdfium._FPDFPage_CountObjects(page), maxObjects);
  for (let index = 0; index < count; index += 1) visit(pdfium._FPDFPage_GetObject(page, index), (box) => box, 0);
  return images;
}

/** Returns the transform from the coordinates of a form's objects to those outside. */
function matrixOf(pdfium: Pdfium, form: number): (box: Box) => Box {
  return withMemory(pdfium, 6 * floatBytes, (pointer) => {
    if (pdfium._FPDFPageObj_GetMatrix(form, pointer) === 0) return (box) => box;
    const memory = viewMemory(pdfium);
    const read = (position: number) => memory.getFloat32(pointer + position * floatBytes, true);
    const [a, b, c, d, e, f] = [read(0), read(1), read(2), read(3), read(4), read(5)];
    return ({ left, top, right, bottom }) => {
      const corners = [left, right].flatMap((x) =>
        [top, bottom].map((y) => ({ x: a * x + c * y + e, y: b * x + d * y + f })),
      );
      const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
      return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
    };
  });
}

/** Returns an object's box in the coordinates of its page or form. It has no area if the object has none. */
function boundsOf(pdfium: Pdfium, object: number): Box {
  return withMemory(pdfium, 4 * floatBytes, (pointer) => {
    const address = (position: number) => pointer + position * floatBytes;
    if (pdfium._FPDFPageObj_GetBounds(object, address(0), address(1), address(2), address(3)) === 0) {
      return { left: 0, top: 0, right: 0, bottom: 0 };
    }
    const memory = viewMemory(pdfium);
    const read = (position: number) => memory.getFloat32(address(position), true);
    return { left: read(0), bottom: read(1), right: read(2), top: read(3) };
  });
}

/** Each costs a recognition. */
const maxPictures = 10;
/** With this many characters of the text layer on it, a picture is a background, or a scan that was already recognized. */
export const minCharactersOnScan = 200;
/** Lines with a lower mean confidence are shapes that look like letters. */
const minLineConfidence = 0.7;

/** A page that has both a text layer and pictures. All boxes are in display coordinates. */
interface PageWithPictures {
  readonly layer: readonly TextLine[];
  readonly pictures: readonly Box[];
  readonly raster: Raster;
  readonly pixelsPerStep: number;
}

/** Returns the lines of text in the pictures of a page, without the words of its text layer. */
export async function readPictures(
  recognizer: Recognizer,
  { layer, pictures, raster, pixelsPerStep }: PageWithPictures,
): Promise<Pick<PageText, 'lines' | 'languages'>> {
  recognizer.expect(layer);
  const toPixels = (box: Box) => clip(scaleBox(box, pixelsPerStep), raster);
  const page = whiten(
    raster,
    layer.flat().map(({ box }) => toPixels(box)),
  );
  const lines: TextLine[] = [];
  const languages = new Set<string>();
  for (const picture of pictures.slice(0, maxPictures)) {
    if (countCharacters(layer, picture) >= minCharactersOnScan) continue;
    const box = toPixels(picture);
    const found = await recognizer.recognize(crop(page, box));
    const toDisplay = (word: TextWord) => ({ ...word, box: scaleBox(move(word.box, box), 1 / pixelsPerStep) });
    const legible = found.lines.filter((line) => meanConfidence([line]) >= minLineConfidence);
    for (const line of legible) lines.push(line.map(toDisplay));
    if (legible.length > 0) for (const language of found.languages) languages.add(language);
  }
  return { lines, languages: [...languages] };
}

/** Counts the characters of the words whose center is in the box. */
export function countCharacters(layer: readonly TextLine[], { left, top, right, bottom }: Box): number {
  return layer.flat().reduce((sum, { text, box }) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return x > left && x < right && y > top && y < bottom ? sum + text.length : sum;
  }, 0);
}

function move({ left, top, right, bottom }: Box, origin: Box): Box {
  return {
    left: left + origin.left,
    top: top + origin.top,
    right: right + origin.left,
    bottom: bottom + origin.top,
  };
}

/** Returns the part of a box that is in an area, in whole numbers. */
export function clip({ left, top, right, bottom }: Box, { width, height }: Pick<Raster, 'width' | 'height'>): Box {
  const [x, y] = [Math.max(0, Math.floor(left)), Math.max(0, Math.floor(top))];
  return {
    left: Math.min(x, width),
    top: Math.min(y, height),
    right: Math.max(x, Math.min(width, Math.ceil(right))),
    bottom: Math.max(y, Math.min(height, Math.ceil(bottom))),
  };
}

function whiten(image: Raster, boxes: readonly Box[]): Raster {
  const pixels = Buffer.from(image.pixels);
  for (const { left, top, right, bottom } of boxes) {
    for (let y = top; y < bottom; y += 1) pixels.fill(255, y * image.width + left, y * image.width + right);
  }
  return { ...image, pixels };
}

function crop(image: Raster, { left, top, right, bottom }: Box): Raster {
  const rows = Array.from({ length: bottom - top }, (_, row) => {
    const start = (top + row) * image.width;
    return image.pixels.subarray(start + left, start + right);
  });
  return { pixels: Buffer.concat(rows), width: right - left, height: bottom - top, dpi: image.dpi };
}
