import { deflateSync } from 'node:zlib';
import { firstFreeObject, type RawObject, type RawPage, writePdf } from './write-pdf.js';

/** Draws a table of `rows` × `2 * rows` cells with two letters per row, each in a column of its own. */
export function drawStaircase(rows: number): RawPage {
  const step = 8;
  const width = 2 * step * rows + 100;
  const height = 12 * rows + 20;
  const letters = Array.from({ length: rows }, (_, row) => {
    const y = height - 12 * (row + 1);
    const at = (x: number) => `BT /F 10 Tf 1 0 0 1 ${x} ${y} Tm (a) Tj ET`;
    return `${at(step * row)} ${at(step * (rows + row))}`;
  });
  return { size: [width, height], content: letters.join('\n') };
}

/** Draws many pages with huge sparse tables in a small file. */
export function drawStaircases(pages: number, rows: number): Buffer {
  const page = drawStaircase(rows);
  return writePdf({ pages: Array.from({ length: pages }, () => page) });
}

/** Draws pages with the maximum number of one-letter words in a small file. */
export function drawLetters(pages: number, lines = 900, words = 110): Buffer {
  const line = `(${'a '.repeat(words)}) Tj T*`;
  const size = [words * 8 + 40, lines * 12 + 40] as const;
  const content = `BT /F 10 Tf 12 TL 20 ${size[1] - 20} Td ${`${line}\n`.repeat(lines)} ET`;
  return writePdf({ pages: Array.from({ length: pages }, () => ({ size, content })) });
}

/** Draws a page with `count` operators, which compress to almost nothing. */
export function drawOperators(count: number): Buffer {
  return writePdf({ pages: [{ content: Buffer.alloc(4 * count, '0 w ') }] });
}

/** Nests forms `depth` levels deep. Each draws the next one `width` times. */
export function drawNestedForms(depth: number, width: number): Buffer {
  const object = (level: number) => firstFreeObject + level;
  const forms = Array.from({ length: depth }, (_, level): RawObject => {
    const isLast = level === depth - 1;
    const resources = isLast ? '' : `/Resources << /XObject << /X ${object(level + 1)} 0 R >> >>`;
    return {
      entries: `/Type /XObject /Subtype /Form /BBox [0 0 400 400] ${resources}`,
      stream: isLast ? '0 0 m 9 9 l S ' : '/X Do '.repeat(width),
    };
  });
  const resources = `/XObject << /X ${object(0)} 0 R >>`;
  return writePdf({ pages: [{ content: '/X Do', resources }], objects: forms });
}

/** Draws a form that draws itself, `times` times. */
export function drawSelfDrawingForm(times: number): Buffer {
  const form: RawObject = {
    entries: `/Type /XObject /Subtype /Form /BBox [0 0 400 400] /Resources << /XObject << /X ${firstFreeObject} 0 R >> >>`,
    stream: '/X Do '.repeat(times),
  };
  const resources = `/XObject << /X ${firstFreeObject} 0 R >>`;
  return writePdf({ pages: [{ content: '/X Do', resources }], objects: [form] });
}

/** Paints a function-based shading `times` times over the whole page. */
export function drawShadings(times: number, pages = 1): Buffer {
  const calculator = `{ ${'2 copy mul sin 3 1 roll exch '.repeat(200)} pop pop 0.5 }`;
  const objects: RawObject[] = [
    {
      entries: `/ShadingType 1 /ColorSpace /DeviceGray /Domain [0 1 0 1] /Matrix [420 0 0 595 0 0] /Function ${firstFreeObject + 1} 0 R`,
    },
    { entries: '/FunctionType 4 /Domain [0 1 0 1] /Range [0 1]', stream: calculator },
  ];
  const page = { content: '/S sh '.repeat(times), resources: `/Shading << /S ${firstFreeObject} 0 R >>` };
  return writePdf({ pages: Array.from({ length: pages }, () => page), objects });
}

/** Draws one black image of `side` × `side` pixels. */
export function drawGiantImage(side: number): Buffer {
  const image: RawObject = {
    entries: `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`,
    stream: Buffer.alloc(side * side * 3),
  };
  const resources = `/XObject << /X ${firstFreeObject} 0 R >>`;
  return writePdf({ pages: [{ content: '400 0 0 400 0 0 cm /X Do', resources }], objects: [image] });
}

/** Draws a tiny stream that decompresses to `megabytes`, because it was compressed twice. */
export function drawBomb(megabytes: number): Buffer {
  const twice = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' '), { level: 1 });
  const form: RawObject = {
    entries: '/Type /XObject /Subtype /Form /BBox [0 0 400 400]',
    stream: twice,
    innerFilter: true,
  };
  return writePdf({
    pages: [{ content: '/X Do', resources: `/XObject << /X ${firstFreeObject} 0 R >>` }],
    objects: [form],
  });
}

/** Covers the page with `count` annotations drawn by the same form. */
export function drawAnnotations(count: number): Buffer {
  const form: RawObject = {
    entries: '/Type /XObject /Subtype /Form /BBox [0 0 420 595]',
    stream: '0.5 g 0 0 420 595 re f '.repeat(50),
  };
  const annotation = `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [0 0 420 595] /AP << /N ${firstFreeObject} 0 R >> >>`;
  const entries = `/Annots [${annotation.repeat(count)}]`;
  return writePdf({ pages: [{ content: '', entries }], objects: [form] });
}

/** Draws a page of the maximum size that PDF allows. */
export function drawHugePage(): Buffer {
  return writePdf({ pages: [{ content: '0 0 m 14000 14000 l S', size: [14_400, 14_400] }] });
}
