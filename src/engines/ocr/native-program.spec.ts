import { requireNativeTesseract } from './native-program.js';

describe('requireNativeTesseract', () => {
  it('should say what to install if the program is missing', () => {
    process.env['PATH'] = '';
    expect(requireNativeTesseract).toThrow(
      'The engine tesseract-native needs the program tesseract, which is not on the PATH; ' +
        'install Tesseract 5 or newer, for example with apt install tesseract-ocr.',
    );
  });
});
