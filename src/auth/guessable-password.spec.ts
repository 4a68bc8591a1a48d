import { rejectGuessable } from './guessable-password.js';

describe('rejectGuessable', () => {
  it.each(['password1234', 'P@ssw0rd1234', '123456789012', 'qwertyuiop12', 'abcabcabcabc', 'keycardkeycard'])(
    'should reject %j',
    async (password) => {
      await expect(rejectGuessable(password, 'newPassword')).rejects.toMatchObject({
        fields: [{ field: 'newPassword', message: expect.stringContaining('easy to guess') as string }],
      });
    },
  );

  it.each([
    'correct horse battery',
    'lantern orbit 7 teal',
    'x9#Lq2!vTz0w',
    'コレクトホースバッテリー',
    'a'.repeat(33),
  ])('should accept %j', async (password) => {
    await expect(rejectGuessable(password, 'newPassword')).resolves.toBeUndefined();
  });
});
