import type { Raster } from '../worker/image/raster.js';

const short = 3;
const long = 4;
const rational = 5;
const entryBytes = 12;
const rationalBytes = 8;
const directoryStart = 8;

/** Encodes an image as uncompressed TIFF, the simplest format with a resolution that Tesseract reads. */
export function toTiff({ pixels, width, height, dpi }: Raster): Buffer {
  const entryCount = 12;
  const resolutionStart = directoryStart + 2 + entryCount * entryBytes + 4;
  const pixelsStart = resolutionStart + rationalBytes;
  const entries: [tag: number, type: number, value: number][] = [
    [256, long, width],
    [257, long, height],
    // Bits per pixel.
    [258, short, 8],
    // No compression, and 0 is black.
    [259, short, 1],
    [262, short, 1],
    // One strip with all rows, and one value for each pixel.
    [273, long, pixelsStart],
    [277, short, 1],
    [278, long, height],
    [279, long, pixels.length],
    // Horizontal and vertical resolution per inch.
    [282, rational, resolutionStart],
    [283, rational, resolutionStart],
    [296, short, 2],
  ];
  const header = Buffer.alloc(pixelsStart);
  header.write('II*\0', 'latin1');
  header.writeUInt32LE(directoryStart, 4);
  header.writeUInt16LE(entries.length, directoryStart);
  entries.forEach(([tag, type, value], index) => {
    const start = directoryStart + 2 + index * entryBytes;
    header.writeUInt16LE(tag, start);
    header.writeUInt16LE(type, start + 2);
    header.writeUInt32LE(1, start + 4);
    header.writeUInt32LE(value, start + 8);
  });
  header.writeUInt32LE(dpi, resolutionStart);
  header.writeUInt32LE(1, resolutionStart + 4);
  return Buffer.concat([header, pixels]);
}
