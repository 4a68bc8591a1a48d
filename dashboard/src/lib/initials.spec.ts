import { hueOf, initialsOf } from './initials.js';

describe('initialsOf', () => {
  it.each([
    ['Ada Lovelace', 'AL'],
    ['Augusta Ada King Lovelace', 'AL'],
    ['ada', 'A'],
    ['  Grace   Hopper ', 'GH'],
    ['ada.lovelace@example.com', 'AL'],
    ['admin@keycard.local', 'A'],
    ['山田太郎', '山'],
    ['Ольга Петрова', 'ОП'],
    ['हर्ष वर्मा', 'हव'],
    ['(Bob) [Builder]', 'BB'],
    ['e\u0301milie Zola', 'E\u0301Z'],
    ['👩‍🚀 Team', '👩‍🚀T'],
    ['', '?'],
    ['@', '?'],
  ])('should abbreviate %j to %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });
});

describe('hueOf', () => {
  it('should be the same for the same id, and one of 12', () => {
    expect(hueOf('01936f5e')).toBe(hueOf('01936f5e'));
    expect(hueOf('01936f5e') % 30).toBe(0);
  });
});
