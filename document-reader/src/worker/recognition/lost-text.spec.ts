import type { TextLine } from '../../page.js';
import { readLostText } from './lost-text.js';
import type { Raster } from '../image/raster.js';

const [width, height] = [400, 300];
const wordHeight = 20;

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
}

function draw(rectangles: readonly Rectangle[]): Raster {
  const pixels = Buffer.alloc(width * height, 255);
  for (const { left, top, columns, rows } of rectangles) {
    for (let y = top; y < top + rows; y += 1) pixels.fill(0, y * width + left, y * width + left + columns);
  }
  return { pixels, width, height, dpi: 200 };
}

function toLine({ left, top, columns, rows }: Rectangle, text = 'word', confidence = 0.95): TextLine {
  return [{ text, confidence, box: { left, top, right: left + columns, bottom: top + rows } }];
}

const known = { left: 40, top: 40, columns: 100, rows: wordHeight };
const lost = { left: 280, top: 40, columns: 30, rows: wordHeight };

/** Returns the number of dark pixels in each image that is read. */
async function countInk(rectangles: readonly Rectangle[]): Promise<number[]> {
  const counts: number[] = [];
  await readLostText(draw(rectangles), [toLine(known)], ({ pixels }) => {
    counts.push(pixels.filter((level) => level === 0).length);
    return [];
  });
  return counts;
}

describe('readLostText', () => {
  it('should read only the words that were not read', async () => {
    await expect(countInk([known, lost])).resolves.toEqual([lost.columns * lost.rows]);
  });

  it('should not read a word again that a mark surrounds', async () => {
    const mark = { left: 20, top: 30, columns: 130, rows: 3 };
    const side = { left: 20, top: 30, columns: 3, rows: 40 };
    const [ink = 0] = await countInk([mark, side, known]);
    expect(ink).toBeLessThan(known.columns * known.rows);
    expect(ink).toBeGreaterThan(0);
  });

  it.each<[string, Rectangle[]]>([
    ['every word was read', []],
    ['the rest is a line', [{ left: 40, top: 100, columns: 320, rows: 3 }]],
    ['the rest is a picture', [{ left: 40, top: 100, columns: 200, rows: 150 }]],
    ['the rest is at the edge of the page', [{ left: 0, top: 100, columns: 30, rows: wordHeight }]],
    ['the rest is dust', [{ left: 200, top: 100, columns: 4, rows: 4 }]],
  ])('should read nothing if %s', async (_, others) => {
    await expect(countInk([known, ...others])).resolves.toEqual([]);
  });

  it('should return legible words only', async () => {
    const found = [toLine(lost, '12.50'), toLine(lost, 'o', 0.6), toLine(lost, '_|')];
    const lines = await readLostText(draw([known, lost]), [toLine(known)], () => found);
    expect(lines).toEqual([toLine(lost, '12.50')]);
  });
});
