import { areaOf, type Box } from '../../page.js';
import { type Pdfium, pageSize, viewMemory, withMemory, displayTransform, stepsPerPoint } from './pdfium.js';

const floatBytes = 4;
const imageObject = 3;
const formObject = 5;
/** Pages with more objects are drawings. */
const maxObjects = 10_000;
/** Nested forms (PDF's reusable groups of objects) that are deeper are ignored. */
const maxDepth = 5;
/** Further clip paths of an image are ignored, and those with more segments. */
const maxClipPaths = 10;
const maxClipSegments = 100;

/** An image on a page. */
export interface Picture {
  /** In display coordinates. */
  readonly box: Box;
  /** Area relative to the page. */
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
    if (type === imageObject) images.push(toPage(visiblePartOf(pdfium, object)));
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

/** Returns the box of the part of an image that its clip paths leave visible, in the coordinates of its page or form. */
function visiblePartOf(pdfium: Pdfium, image: number): Box {
  const clipPath = pdfium._FPDFPageObj_GetClipPath(image);
  const count = clipPath === 0 ? 0 : Math.min(pdfium._FPDFClipPath_CountPaths(clipPath), maxClipPaths);
  let visible = boundsOf(pdfium, image);
  for (let index = 0; index < count; index += 1) visible = overlapOf(visible, boxOfPath(pdfium, clipPath, index));
  return visible;
}

/** Returns the box around a clip path, which has no bounds if the path is empty or complicated. */
function boxOfPath(pdfium: Pdfium, clipPath: number, index: number): Box {
  const count = pdfium._FPDFClipPath_CountPathSegments(clipPath, index);
  if (count < 1 || count > maxClipSegments)
    return { left: -Infinity, bottom: -Infinity, right: Infinity, top: Infinity };
  return withMemory(pdfium, 2 * floatBytes, (pointer) => {
    const points = Array.from({ length: count }, (_, segment) => {
      const found = pdfium._FPDFClipPath_GetPathSegment(clipPath, index, segment);
      pdfium._FPDFPathSegment_GetPoint(found, pointer, pointer + floatBytes);
      const memory = viewMemory(pdfium);
      return { x: memory.getFloat32(pointer, true), y: memory.getFloat32(pointer + floatBytes, true) };
    });
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    return { left: Math.min(...xs), right: Math.max(...xs), bottom: Math.min(...ys), top: Math.max(...ys) };
  });
}

/** Where two boxes overlap, with the y axis pointing up. Boxes that don't overlap give one without area. */
function overlapOf(one: Box, other: Box): Box {
  const [left, bottom] = [Math.max(one.left, other.left), Math.max(one.bottom, other.bottom)];
  const [right, top] = [Math.min(one.right, other.right), Math.min(one.top, other.top)];
  return { left, bottom, right: Math.max(left, right), top: Math.max(bottom, top) };
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
