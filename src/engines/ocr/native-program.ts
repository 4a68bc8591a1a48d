import { findNativeTesseract } from '../../../document-reader/src/native/find-program.js';
import { StartupError } from '../../common/startup-error.js';

export { findNativeTesseract };

/** @throws StartupError if the native Tesseract can't be used */
export function requireNativeTesseract(): string {
  const { program, problem } = findNativeTesseract();
  if (program === undefined) throw new StartupError(`The engine tesseract-native ${problem}.`);
  return program;
}
