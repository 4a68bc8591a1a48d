import sharp from 'sharp';
import { isBlankPage } from './blank-page.js';
import { type Raster, toRaster } from '../image/raster.js';

const [width, height] = [800, 1_000];

/** Draws SVG shapes on light gray paper, as a scanner with a little noise would. */
async function scan(shapes: string, noise = 4): Promise<Raster> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <rect width="100%" height="100%" fill="#eeeeee"/>${shapes}</svg>`;
  const raster = await toRaster(sharp(Buffer.from(svg)).grayscale(), 200);
  let state = 42;
  const random = () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32;
  const deviation = () => (random() + random() + random() - 1.5) * 2 * noise;
  return {
    ...raster,
    pixels: Buffer.from(raster.pixels.map((level) => Math.max(0, Math.min(255, level + deviation())))),
  };
}

const dust = Array.from(
  { length: 30 },
  (_, index) => `<circle cx="${50 + ((index * 271) % 700)}" cy="${50 + ((index * 433) % 900)}" r="1.5"/>`,
).join('');
const shadow = `<defs><linearGradient id="shade"><stop offset="0" stop-opacity="0.6"/>
  <stop offset="0.1" stop-opacity="0"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#shade)"/>`;

/** Strokes of the size of letters. */
const letters = (count: number, color: string) =>
  Array.from(
    { length: count },
    (_, index) => `<path d="M${300 + 40 * index} 300 v 24 h 14" fill="none" stroke="${color}" stroke-width="4"/>`,
  ).join('');

describe('isBlankPage', () => {
  it.each([
    ['clean paper', '', 0],
    ['scanner noise', '', 8],
    ['strong noise', '', 20],
    ['dust', dust, 4],
    ['a shadow at the edge', shadow, 4],
    ['the dark edges of the scanner', '<rect width="10" height="1000"/><rect y="992" width="800" height="8"/>', 4],
    ['a fold', '<rect y="500" width="800" height="3" fill="#bbbbbb"/>', 4],
    ['a hair', '<path d="M300 500 q 20 -8 40 6" fill="none" stroke="#555555" stroke-width="2"/>', 4],
    ['punched holes', '<circle cx="60" cy="300" r="20"/><circle cx="60" cy="700" r="20"/>', 4],
  ])('should be true for %s', async (_, shapes, noise) => {
    expect(await isBlankPage(await scan(shapes, noise))).toBe(true);
  });

  it.each([
    ['a short word', letters(4, 'black'), 4],
    ['a faint word', letters(4, '#c8c8c8'), 2],
    ['a word in strong noise', letters(8, 'black'), 20],
    ['a word on a page with a shadow', letters(4, 'black') + shadow, 4],
    ['a picture', '<circle cx="400" cy="500" r="100" fill="#777777"/>', 4],
  ])('should be false for %s', async (_, shapes, noise) => {
    expect(await isBlankPage(await scan(shapes, noise))).toBe(false);
  });
});
