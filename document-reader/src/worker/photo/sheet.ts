import { type Raster, toRaster, toSharp } from '../image/raster.js';
import { viewFromAbove } from './perspective.js';
import {
  convexHull,
  type Corners,
  edgesOf,
  fitEdges,
  isNear,
  largestQuadrilateral,
  type Point,
  turn,
} from './quadrilateral.js';

/** Every n-th pixel is sampled. */
const sampleStep = 997;
/** Levels below this share of the brightness of paper may be a table. */
const maxTableBrightness = 0.8;
/** Share of the edge of an image that is darker than paper if the image shows a whole sheet. */
const minDarkEdge = 0.6;
/** Length of the longer side of the copy that is searched for the sheet. */
const searchedPixels = 400;
/** Possible limits between table and paper, as shares of the brightness of paper. */
const thresholds = [0.3, 0.4, 0.5, 0.6, 0.7];
/** Differences between adjacent pixels of an unevenly lit table, as shares. */
const gradients = [0.06, 0.12];
/** Share of the image that a sheet covers. */
const minArea = 0.2;
/** Farthest distance of the outline from straight edges, in pixels of the copy. */
const maxDeviation = 1.5;
/** Share of the outline that is on straight edges. */
const minStraight = 0.9;
/** If more bright objects surround the sheet, it may be part of a poster or slide with more text. */
const maxObjects = 25;
const minObjectPixels = 3;
/** Sheets whose edges are all within this many degrees of the axes are screenshots or scans, not photos. */
const minDegrees = 0.4;

/**
 * Returns a photographed sheet as if seen from above, without its surroundings. Other images are returned unchanged.
 */
export async function correctPerspective(image: Raster): Promise<Raster> {
  const corners = await findSheet(image);
  if (corners === undefined || isUpright(corners)) return image;
  return viewFromAbove(image, corners);
}

function isUpright(corners: Corners): boolean {
  return corners.every(([x, y], index) => {
    const [nextX, nextY] = corners[(index + 1) % corners.length] ?? [x, y];
    const degrees = (Math.atan2(nextY - y, nextX - x) * 180) / Math.PI;
    return Math.abs(degrees - 90 * Math.round(degrees / 90)) < minDegrees;
  });
}

/** Finds the corners of a sheet that is photographed on a darker background, with all edges visible. */
async function findSheet(image: Raster): Promise<Corners | undefined> {
  const paper = measurePaper(image);
  if (darkShareOfEdge(image, paper * maxTableBrightness) < minDarkEdge) return undefined;
  const scale = Math.min(1, searchedPixels / Math.max(image.width, image.height));
  const copy = await toRaster(
    toSharp(image).resize({ width: Math.max(1, Math.round(image.width * scale)) }),
    image.dpi,
  );
  let best: Outline | undefined;
  for (const background of findBackgrounds(copy, paper)) {
    const outline = findOutline(copy, background);
    if (outline !== undefined && outline.straightShare > (best?.straightShare ?? minStraight)) best = outline;
  }
  if (best === undefined) return undefined;
  const toImage = ([x, y]: Point): Point => [(x * image.width) / copy.width, (y * image.height) / copy.height];
  const [first, second, third, fourth] = best.corners;
  return [toImage(first), toImage(second), toImage(third), toImage(fourth)];
}

/** Returns the level that a tenth of the image exceeds. */
function measurePaper({ pixels }: Raster): number {
  const count = Math.ceil(pixels.length / sampleStep);
  const levels = Uint8Array.from({ length: count }, (_, sample) => pixels[sample * sampleStep] ?? 0).sort();
  return levels[Math.floor(levels.length * 0.9)] ?? 255;
}

function darkShareOfEdge({ pixels, width, height }: Raster, limit: number): number {
  let [dark, all] = [0, 0];
  const count = (x: number, y: number) => {
    all += 1;
    if (at(pixels, y * width + x) < limit) dark += 1;
  };
  for (let x = 0; x < width; x += 8) [0, height - 1].forEach((y) => count(x, y));
  for (let y = 0; y < height; y += 8) [0, width - 1].forEach((x) => count(x, y));
  return dark / all;
}

/** Yields masks of what may be the table: regions that are connected to the edge of the image. */
function* findBackgrounds({ pixels, width, height }: Raster, paper: number): Generator<Uint8Array> {
  const edge: number[] = [];
  for (let x = 0; x < width; x += 1) edge.push(x, (height - 1) * width + x);
  for (let y = 0; y < height; y += 1) edge.push(y * width, y * width + width - 1);
  const grow = (includes: (index: number, from: number) => boolean) => {
    const mask = new Uint8Array(width * height);
    fill({ width, height }, mask, edge, includes);
    return mask;
  };
  for (const share of thresholds) yield grow((index) => at(pixels, index) < share * paper);
  for (const gradient of gradients) {
    yield grow((index, from) => {
      const [level, other] = [at(pixels, index), at(pixels, from)];
      return Math.abs(level - other) <= gradient * Math.max(level, other, 32) && level < maxTableBrightness * paper;
    });
  }
}

/** Marks the pixels that can be reached from the first ones, and returns them. */
function fill(
  { width, height }: Pick<Raster, 'width' | 'height'>,
  mask: Uint8Array,
  first: readonly number[],
  includes: (index: number, from: number) => boolean,
): number[] {
  const reached: number[] = [];
  const visit = (index: number, from: number) => {
    if (mask[index] !== 0 || !includes(index, from)) return;
    mask[index] = 1;
    reached.push(index);
  };
  for (const index of first) visit(index, index);
  for (const index of reached) {
    const column = index % width;
    if (column > 0) visit(index - 1, index);
    if (column < width - 1) visit(index + 1, index);
    if (index >= width) visit(index - width, index);
    if (index < width * (height - 1)) visit(index + width, index);
  }
  return reached;
}

interface Outline {
  readonly corners: Corners;
  /** Share of the outline that is on the edges between the corners. */
  readonly straightShare: number;
}

/** Finds the largest object on a background, if it is a quadrilateral. */
function findOutline(copy: Raster, background: Uint8Array): Outline | undefined {
  const { width, height } = copy;
  const mask = Uint8Array.from(background);
  let objects = 0;
  let sheet: number[] = [];
  for (let index = 0; index < mask.length; index += 1) {
    if (mask[index] !== 0) continue;
    const object = fill(copy, mask, [index], () => true);
    if (object.length >= minObjectPixels) objects += 1;
    if (object.length > sheet.length) sheet = object;
  }
  if (sheet.length < minArea * width * height || objects > maxObjects) return undefined;
  const outline = traceOutline(copy, sheet);
  const visible = outline.filter(([x, y]) => x > 1 && y > 1 && x < width - 1 && y < height - 1);
  const rough = largestQuadrilateral(convexHull(outline));
  const corners = rough === undefined ? undefined : fitEdges(rough, visible, maxDeviation);
  if (corners === undefined || !isPlausible(corners, sheet.length)) return undefined;
  const straight = visible.filter((point) => edgesOf(corners).some((edge) => isNear(edge, point, maxDeviation)));
  return { corners, straightShare: straight.length / outline.length };
}

/** Returns the outermost points in each row and column. Coordinates are at the edges of pixels. */
function traceOutline({ width, height }: Raster, sheet: readonly number[]): Point[] {
  const rows = Array.from({ length: height }, () => ({ first: width, last: -1 }));
  const columns = Array.from({ length: width }, () => ({ first: height, last: -1 }));
  const extend = (range: { first: number; last: number } | undefined, position: number) => {
    if (range === undefined) return;
    range.first = Math.min(range.first, position);
    range.last = Math.max(range.last, position);
  };
  for (const index of sheet) {
    const [x, y] = [index % width, Math.floor(index / width)];
    extend(rows[y], x);
    extend(columns[x], y);
  }
  return [
    ...rows.flatMap(({ first, last }, y): Point[] => (last < 0 ? [] : [first, last + 1].map((x) => [x, y + 0.5]))),
    ...columns.flatMap(({ first, last }, x): Point[] => (last < 0 ? [] : [first, last + 1].map((y) => [x + 0.5, y]))),
  ];
}

/** Whether the corners belong to a sheet seen from an angle, and the object fills it. */
function isPlausible(corners: Corners, objectPixels: number): boolean {
  const [first, second, third, fourth] = corners;
  const area = (turn(first, second, third) + turn(first, third, fourth)) / 2;
  if (!(Math.abs(objectPixels / area - 1) < 0.06)) return false;
  const edges = edgesOf(corners);
  return edges.every(({ direction: [x, y] }, index) => {
    const [nextX, nextY] = edges[(index + 1) % edges.length]?.direction ?? [x, y];
    // The sine of the angle: between 50 and 130 degrees.
    return x * nextY - y * nextX > 0.77;
  });
}

/** For indexes that are known to be valid. */
function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
