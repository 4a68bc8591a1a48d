import { firstFreeObject, type RawPage, writePdf } from './write-pdf.js';

/** Colors of pictures. Each is an image of one pixel, scaled to the size of the picture. */
const colors = { red: [220, 30, 30], blue: [30, 30, 220], gray: [240, 240, 240] } as const;

const pageHeight = 595;

/** Writes a PDF whose pages may have text and pictures. */
export function writePictures(pages: readonly Omit<RawPage, 'resources'>[]): Buffer {
  const objects = Object.values(colors).map((color) => ({
    entries: '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8',
    stream: Buffer.from(color),
  }));
  const xObjects = Object.keys(colors).map((name, index) => `/${name} ${firstFreeObject + index} 0 R`);
  const resources = `/XObject << ${xObjects.join(' ')} >>`;
  return writePdf({ pages: pages.map((page) => ({ ...page, resources })), objects });
}

/** Operators for a line of text, `top` points below the upper edge of the page. */
export const text = (content: string, top: number) =>
  `BT /F 12 Tf 1 0 0 1 40 ${pageHeight - top - 12} Tm (${content}) Tj ET `;

/** Operators that show only a part of others; in points from the upper left corner of the page. */
export const clip = (left: number, top: number, width: number, height: number, content: string) =>
  `q ${left} ${pageHeight - top - height} ${width} ${height} re W n ${content} Q `;

/** Operators for a picture; in points from the upper left corner of the page. */
export const picture = (color: keyof typeof colors, left: number, top: number, width: number, height: number) =>
  `q ${width} 0 0 ${height} ${left} ${pageHeight - top - height} cm /${color} Do Q `;
