import type { Box } from '../layout/text.js';
import { pageSize } from './pdf-page.js';
import { type Pdfium, viewMemory, withMemory } from './pdfium.js';

/** Steps per point: coordinates of a page as it is shown come as whole numbers. */
const STEPS = 20;
/** Long enough for the rounding to disappear. */
const UNIT_POINTS = 1_000;
const INTEGER_BYTES = 4;

/** From the page's own coordinates to those of the page as it is shown: turned, cut, and from the top down. */
export function shownCoordinates(pdfium: Pdfium, page: number): (box: Box) => Box {
  const origin = toDevice(pdfium, page, 0, 0);
  const [acrossX, acrossY] = subtract(toDevice(pdfium, page, UNIT_POINTS, 0), origin);
  const [upX, upY] = subtract(toDevice(pdfium, page, 0, UNIT_POINTS), origin);
  const show = (x: number, y: number) => ({
    x: origin[0] + (acrossX * x + upX * y) / UNIT_POINTS,
    y: origin[1] + (acrossY * x + upY * y) / UNIT_POINTS,
  });
  return ({ left, top, right, bottom }) => {
    const [one, other] = [show(left, top), show(right, bottom)];
    return {
      left: Math.min(one.x, other.x),
      right: Math.max(one.x, other.x),
      top: Math.min(one.y, other.y),
      bottom: Math.max(one.y, other.y),
    };
  };
}

type Point = readonly [x: number, y: number];

const subtract = (left: Point, right: Point): Point => [left[0] - right[0], left[1] - right[1]];

function toDevice(pdfium: Pdfium, page: number, x: number, y: number): Point {
  const { width, height } = pageSize(pdfium, page);
  return withMemory(pdfium, 2 * INTEGER_BYTES, (pointer) => {
    const size = [Math.round(width * STEPS), Math.round(height * STEPS)] as const;
    pdfium._FPDF_PageToDevice(page, 0, 0, ...size, 0, x, y, pointer, pointer + INTEGER_BYTES);
    const memory = viewMemory(pdfium);
    return [memory.getInt32(pointer, true), memory.getInt32(pointer + INTEGER_BYTES, true)];
  });
}
