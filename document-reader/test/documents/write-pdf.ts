import { deflateSync } from 'node:zlib';

/** A page as PDF source. It can refer to objects by the numbers described at {@link RawPdf.objects}. */
export interface RawPage {
  /** Operators that draw the page. Font `/F` is Helvetica. */
  readonly content: string | Buffer;
  /** In points; A5 portrait by default. */
  readonly size?: readonly [width: number, height: number];
  /** Entries added to the page's resources, such as `/XObject << /X 10 0 R >>`. */
  readonly resources?: string;
  /** Entries added to the page, such as `/Annots [10 0 R]`. */
  readonly entries?: string;
}

export interface RawObject {
  /** Entries of the dictionary, without `<<` and `>>`. */
  readonly entries: string;
  readonly stream?: string | Buffer;
  /** Whether the stream is already compressed. It is compressed again. */
  readonly innerFilter?: boolean;
}

export interface RawPdf {
  readonly pages: readonly RawPage[];
  /** Further objects, numbered from {@link firstFreeObject}. */
  readonly objects?: readonly RawObject[];
}

/** The number of the first object in {@link RawPdf.objects}. */
export const firstFreeObject = 10;

const pagesObject = 2;
const fontObject = 3;

/** Writes a PDF object by object, for documents that drawing libraries don't produce. Compresses all streams. */
export function writePdf({ pages, objects = [] }: RawPdf): Buffer {
  const firstPage = firstFreeObject + objects.length;
  const numbered = new Map<number, Buffer>([
    [1, source({ entries: `/Type /Catalog /Pages ${pagesObject} 0 R` })],
    [fontObject, source({ entries: '/Type /Font /Subtype /Type1 /BaseFont /Helvetica' })],
  ]);
  objects.forEach((object, index) => numbered.set(firstFreeObject + index, source(object)));
  const kids = pages.map((page, index) => {
    const number = firstPage + 2 * index;
    numbered.set(number, source(toPageObject(page, number + 1)));
    numbered.set(number + 1, source({ entries: '', stream: page.content }));
    return `${number} 0 R`;
  });
  const tree = `/Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}]`;
  numbered.set(pagesObject, source({ entries: tree }));
  return join(numbered);
}

function toPageObject({ size = [420, 595], resources = '', entries = '' }: RawPage, content: number): RawObject {
  const font = `/Font << /F ${fontObject} 0 R >>`;
  return {
    entries:
      `/Type /Page /Parent ${pagesObject} 0 R /MediaBox [0 0 ${size.join(' ')}] /Contents ${content} 0 R ` +
      `/Resources << ${font} ${resources} >> ${entries}`,
  };
}

function source({ entries, stream, innerFilter = false }: RawObject): Buffer {
  if (stream === undefined) return Buffer.from(`<< ${entries} >>`);
  const bytes = deflateSync(stream, { level: 1 });
  const filter = innerFilter ? '[/FlateDecode /FlateDecode]' : '/FlateDecode';
  const dictionary = `<< ${entries} /Filter ${filter} /Length ${bytes.length} >>`;
  return Buffer.concat([Buffer.from(`${dictionary}\nstream\n`), bytes, Buffer.from('\nendstream')]);
}

function join(numbered: ReadonlyMap<number, Buffer>): Buffer {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets = new Map<number, number>();
  let length = parts[0]?.length ?? 0;
  for (const [number, body] of numbered) {
    offsets.set(number, length);
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  }
  const size = Math.max(...numbered.keys()) + 1;
  const table = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const trailer = `xref\n0 ${size}\n${table.join('')}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(trailer)]);
}
