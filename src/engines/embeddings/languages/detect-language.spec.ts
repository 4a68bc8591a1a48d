import { isInOtherLanguage } from './detect-language.js';

describe('isInOtherLanguage', () => {
  it.each([
    'Die Rechnung wurde noch nicht bezahlt.',
    'Où puis-je trouver un hôtel pas cher ?',
    'Los niños aprenden idiomas más rápido.',
    'La fattura non è ancora stata pagata.',
    'O carro não pega hoje de manhã.',
    'Kinderen leren sneller talen dan volwassenen.',
    'Счёт до сих пор не оплачен клиентом.',
    '発票尚未支付，請儘快處理。',
    'ลูกค้ายังไม่ได้ชำระเงิน',
  ])('should recognize that this is not English: %s', (text) => {
    expect(isInOtherLanguage(text, ['en'])).toBe(true);
  });

  it.each([
    'The invoice has not been paid yet.',
    'vitamin D deficiency symptoms in young adults',
    'SELECT id, name FROM users WHERE active = true ORDER BY created_at DESC',
    'import numpy as np; print(np.mean([1, 2, 3]))',
    'ERROR 2024-05-01 12:00:03 worker-7 timeout after 3000 ms',
    'AAPL MSFT GOOG AMZN NVDA META TSLA',
    '12345 67890 11 22 33 44 55 66',
    'Volkswagen Deutsche Telekom Siemens',
    '你好',
    '😀 😀 😀',
    '',
  ])('should have no doubts about %s', (text) => {
    expect(isInOtherLanguage(text, ['en'])).toBe(false);
  });

  it('should accept each of several languages', () => {
    expect(isInOtherLanguage('Die Rechnung wurde noch nicht bezahlt.', ['en', 'de'])).toBe(false);
    expect(isInOtherLanguage('La facture doit encore être payée avant vendredi.', ['en', 'de'])).toBe(true);
  });

  it('should judge nothing if it does not know one of the languages', () => {
    expect(isInOtherLanguage('Die Rechnung wurde noch nicht bezahlt.', ['en', 'eo'])).toBe(false);
  });
});
