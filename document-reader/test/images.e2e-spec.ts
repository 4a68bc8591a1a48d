import sharp from 'sharp';
import type { ReadOptions, ReadPage } from '../src/read-page.js';
import { newReader } from './new-reader.js';
import { drawTextImage } from './documents/draw-image.js';
import { drawScannedPdf } from './documents/draw-pdf.js';
import { clip, picture, text, writePictures } from './documents/write-pictures.js';

const reader = newReader();

afterAll(() => reader.close());

const pointsToPixels = 200 / 72;

async function readBytes(bytes: Buffer, images?: ReadOptions['images']): Promise<ReadPage[]> {
  const options = { pages: undefined, ...(images && { images }) };
  const pages = await reader.read(bytes, options, new AbortController().signal);
  return pages.flatMap((page) => ('failure' in page ? [] : [page]));
}

const read = (pages: Parameters<typeof writePictures>[0], images?: ReadOptions['images']) =>
  readBytes(writePictures(pages), images);

/** Returns the boxes of a page's images, in points. */
const boxesOf = (page: ReadPage | undefined) =>
  page?.images.map(({ box }) => [box.left, box.top, box.right, box.bottom].map((n) => Math.round(n / pointsToPixels)));

/** Returns the text before and after an image. */
const around = (page: ReadPage | undefined, place: number) => {
  const position = page?.images[place]?.position ?? NaN;
  return [page?.markdown.slice(0, position).trim(), page?.markdown.slice(position)];
};

const passage = 'The harbour of the island is closed in winter';

describe('DocumentReader with pictures on PDF pages', () => {
  it('should find them in reading order, and return them in color', async () => {
    const content =
      text(passage, 40) +
      picture('red', 40, 80, 120, 60) +
      text('Boats return in spring', 170) +
      picture('blue', 200, 300, 80, 80);
    const [page] = await read([{ content }], { areIncluded: true });
    expect(boxesOf(page)).toEqual([
      [40, 80, 160, 140],
      [200, 300, 280, 380],
    ]);
    expect(around(page, 0)).toEqual([passage, 'Boats return in spring']);
    expect(around(page, 1)).toEqual([`${passage}\n\nBoats return in spring`, '']);
    const found = await Promise.all((page?.images ?? []).map(({ jpeg }) => sharp(jpeg).stats()));
    const means = found.map(({ channels }) => channels.map(({ mean }) => Math.round(mean / 10)));
    expect(means).toEqual([
      [22, 3, 3],
      [3, 3, 22],
    ]);
    const { format, width, height } = await sharp(page?.images[0]?.jpeg).metadata();
    const { left, top, right, bottom } = page?.images[0]?.box ?? { left: 0, top: 0, right: 0, bottom: 0 };
    expect([format, width, height]).toEqual(['jpeg', right - left, bottom - top]);
  });

  it('should not include them without being asked, and leave out backgrounds, scans, icons and further ones', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => text(passage, 300 + 16 * index)).join('');
    const content =
      picture('gray', 0, 0, 420, 595) +
      picture('red', 0, 0, 8, 8) +
      text(passage, 40) +
      picture('red', 40, 80, 30, 30) +
      picture('blue', 200, 80, 40, 40) +
      picture('gray', 30, 290, 360, 210) +
      lines;
    const [page] = await read([{ content }]);
    expect(boxesOf(page)).toEqual([
      [40, 80, 70, 110],
      [200, 80, 240, 120],
    ]);
    expect(page?.images.map(({ jpeg }) => jpeg)).toEqual([undefined, undefined]);
    const [limited] = await read([{ content }], { areIncluded: true, limit: 1 });
    expect(boxesOf(limited)).toEqual([[40, 80, 70, 110]]);
    expect(limited?.images[0]?.jpeg).toBeDefined();
    const [large] = await read([{ content }], { areIncluded: false, minPixels: 100 });
    expect(boxesOf(large)).toEqual([[200, 80, 240, 120]]);
  });

  it('should join the tiles of a picture, find it on a rotated page, and limit the number of pictures', async () => {
    const tiles = [0, 1, 2, 3].map((row) => picture('blue', 40, 80 + 20 * row, 100, 20)).join('');
    const many = Array.from({ length: 40 }, (_, index) =>
      picture('red', 40 + 40 * (index % 8), 80 + 40 * Math.floor(index / 8), 20, 20),
    );
    const [tiled, rotated, full] = await read([
      { content: text(passage, 40) + tiles },
      { content: text(passage, 40) + picture('blue', 40, 80, 100, 20), entries: '/Rotate 90' },
      { content: text(passage, 40) + many.join('') },
    ]);
    expect(boxesOf(tiled)).toEqual([[40, 80, 140, 160]]);
    expect(boxesOf(rotated)).toEqual([[495, 40, 515, 140]]);
    expect(around(rotated, 0)).toEqual([passage, '']);
    expect(full?.images).toHaveLength(32);
  });

  it('should find only the visible part of a picture', async () => {
    const [page] = await read([
      {
        content:
          text(passage, 40) +
          clip(100, 100, 60, 50, picture('red', 40, 80, 200, 200)) +
          clip(10, 10, 20, 20, picture('blue', 200, 300, 50, 50)),
      },
    ]);
    expect(boxesOf(page)).toEqual([[100, 100, 160, 150]]);
  });

  it('should find none in scans', async () => {
    const scan = await drawTextImage('The harbour is closed.', { size: [240, 120] });
    for (const document of [scan, await drawScannedPdf([scan], { size: [240, 120] })]) {
      const [page] = await readBytes(document, { areIncluded: true });
      expect(page).toMatchObject({ markdown: 'The harbour is closed.', images: [] });
    }
  });

  it('should find them on a page whose text is drawn', async () => {
    const content = picture('red', 40, 40, 100, 60);
    const [page] = await read([{ content }], { areIncluded: true });
    expect(boxesOf(page)).toEqual([[40, 40, 140, 100]]);
    expect(page?.images[0]?.jpeg).toBeDefined();
  });
});
