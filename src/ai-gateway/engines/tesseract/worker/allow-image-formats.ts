import sharp from 'sharp';

const accepted = ['Png', 'Jpeg', 'Webp', 'Tiff', 'Nsgif'];

/** Blocks every image loader of libvips but those of accepted formats. */
export function allowImageFormats(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: accepted.map((format) => `VipsForeignLoad${format}`) });
}
