/*
 * How Tesseract reads an image, whether as WebAssembly or as the native program.
 */
import type { Raster } from './worker/image/raster.js';

/** Value of `oem`: the neural engine only. */
export const neuralEngineMode = 1;
/** Values of `thresholding_method`: one threshold for the page, or one that adapts to local brightness. */
export const otsu = '0';
export const sauvola = '2';
export const thresholds = [otsu, sauvola] as const;
/** Value of `thresholding_kfactor`. The usual 0.34 loses light gray text next to black text. */
export const sauvolaFactor = '0.2';
/** Values of `tessedit_pageseg_mode`: the automatic mode detects columns and tables. */
export const automatic = '3';
export const singleColumn = '4';
export const singleBlock = '6';
export const segmentations = [automatic, singleColumn, singleBlock] as const;

export interface Method {
  readonly threshold: (typeof thresholds)[number];
  readonly segmentation: (typeof segmentations)[number];
}

/** Returns Tesseract's result table (TSV). */
export type ReadTable = (image: Raster, languages: readonly string[], method: Method) => string | Promise<string>;
