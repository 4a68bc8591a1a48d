import type { PageImage, ReadPage } from '../../../engines/ocr/ocr-engine.js';

/** An image with its name in the response. */
export interface NamedImage extends PageImage {
  readonly id: string;
}

/** The text of a page, with its margins and words. */
export type PageContent = Pick<ReadPage, 'markdown' | 'headerEnd' | 'footerStart' | 'words'>;

/** Names the images of a document in order: `img-0.jpeg`, `img-1.jpeg`, …, up to a limit. */
export class ImageNames {
  private count = 0;

  constructor(private readonly limit = Infinity) {}

  name(images: readonly PageImage[]): NamedImage[] {
    return images.slice(0, this.limit - this.count).map((image) => ({ ...image, id: `img-${this.count++}.jpeg` }));
  }
}

/** Adds references to images to the Markdown of a page, each as a separate block. Header and footer don't change. */
export function insertReferences(page: PageContent, images: readonly NamedImage[]): PageContent {
  if (images.length === 0) return page;
  let markdown = '';
  let end = 0;
  const insertions = images.map(({ id, position }) => {
    markdown += page.markdown.slice(end, position);
    end = position;
    const reference = `![${id}](${id})`;
    const isLast = position === page.markdown.length;
    const text = isLast ? `${markdown === '' ? '' : '\n\n'}${reference}` : `${reference}\n\n`;
    markdown += text;
    return { position, length: text.length };
  });
  markdown += page.markdown.slice(end);
  const added = insertions.reduce((sum, { length }) => sum + length, 0);
  return {
    markdown,
    headerEnd: page.headerEnd,
    footerStart: page.footerStart + added,
    get words() {
      let [next, shift] = [0, 0];
      return page.words.map((word) => {
        for (; (insertions[next]?.position ?? Infinity) <= word.startIndex; next += 1) {
          shift += insertions[next]?.length ?? 0;
        }
        return { ...word, startIndex: word.startIndex + shift };
      });
    },
  };
}
