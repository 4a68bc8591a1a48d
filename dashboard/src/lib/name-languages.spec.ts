import { nameLanguages } from './name-languages.js';

describe('nameLanguages', () => {
  it("should name languages in alphabetical order, and keep codes that aren't language tags", () => {
    expect(nameLanguages(['deu', 'chi_sim', 'en'])).toBe('chi_sim, English, German');
  });
});
