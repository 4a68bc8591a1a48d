import { AuditKey, isSignedBy } from './audit-key.js';
import { formatCheckpoint, installationTree, parseCheckpoint, splitCheckpoints } from './checkpoint.js';
import { hashLeaf } from './merkle-tree.js';

/** The example of Go's package golang.org/x/mod/sumdb/note. */
const seed = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1).toString('base64');
const verifierKey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const text = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
const note = `${text}
— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;
const key = new AuditKey(seed);

describe('A signed note', () => {
  it("should be the same as that of Go's library", () => {
    expect(key.verifierKey('PeterNeumann')).toBe(verifierKey);
    expect(key.signNote(text, 'PeterNeumann')).toBe(note);
    expect(isSignedBy([verifierKey], note)).toBe(true);
  });

  it('should be rejected with another text, name or key', () => {
    expect(isSignedBy([verifierKey], note.replace('answer', 'Answer'))).toBe(false);
    expect(isSignedBy([verifierKey], note.replace('PeterNeumann', 'PeterPan'))).toBe(false);
    expect(isSignedBy([key.verifierKey('PeterPan')], note)).toBe(false);
    expect(isSignedBy([new AuditKey(Buffer.alloc(32).toString('base64')).verifierKey('PeterNeumann')], note)).toBe(
      false,
    );
    expect(isSignedBy([verifierKey], text)).toBe(false);
    expect(isSignedBy([], note)).toBe(false);
  });
});

describe('A file of checkpoints', () => {
  const treeId = '01936f5e-7b1c-7cc3-98c4-dc0c0c07398f';
  const time = new Date('2026-01-31T09:30:00.123Z');
  const checkpoints = [
    { treeId, size: 12, root: hashLeaf('1'), time },
    { treeId: installationTree, size: 0, root: hashLeaf('2'), time },
  ];
  const notes = checkpoints.map((checkpoint) => key.signNote(formatCheckpoint(checkpoint), 'name'));

  it.each([
    ['lines without a gap', notes.join('')],
    ['empty lines between them', `${notes.join('\n\n')}\n`],
    ['a missing line break at the end', notes.join('\n').trimEnd()],
  ])('should be readable with %s', (_title, file) => {
    expect(splitCheckpoints(file).map(parseCheckpoint)).toEqual(checkpoints);
  });

  it('should not lose what is no checkpoint', () => {
    expect(splitCheckpoints(`${notes.join('')}no checkpoint`).map(parseCheckpoint)).toEqual([
      ...checkpoints,
      undefined,
    ]);
  });
});
