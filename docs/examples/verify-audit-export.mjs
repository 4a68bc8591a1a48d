// Verifies an export of the audit log with proofs, without Keycard: node verify-audit-export.mjs FILE [PUBLIC-KEY]
import { createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';

const [, , file, trustedKey] = process.argv;
const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
const { checkpoint, publicKey } = JSON.parse(lines.pop());

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();

/** Complete subtrees of the Merkle tree (RFC 6962), from left to right. */
const subtrees = [];
let size = 0;
let events = 0;

function append(level, hash) {
  size += 2 ** level;
  while (subtrees.at(-1)?.level === level) {
    hash = sha256(Buffer.of(1), subtrees.pop().hash, hash);
    level++;
  }
  subtrees.push({ level, hash });
}

for (const line of lines) {
  const { index, from, omitted } = JSON.parse(line);
  if ((index ?? from) !== size) fail(`lines are missing before event ${index ?? from}`);
  if (omitted === undefined) {
    // The bytes of `event` are what was hashed.
    append(0, sha256(Buffer.of(0), line.slice(line.indexOf('"event":') + '"event":'.length, -1)));
    events++;
  } else {
    for (const { level, hash } of omitted) append(level, Buffer.from(hash, 'base64'));
  }
}

let root = subtrees.pop()?.hash ?? sha256();
for (const { hash } of subtrees.reverse()) root = sha256(Buffer.of(1), hash, root);

const [text, signature] = checkpoint.split('\n\n— ');
const [origin, total, expectedRoot, time] = text.split('\n');
if (Number(total) !== size) fail(`the checkpoint has ${total} events, the file proves ${size}`);
if (expectedRoot !== root.toString('base64')) fail('an event was changed, added, removed or moved');

const key = trustedKey ?? publicKey;
const [name, , ...rest] = key.split('+');
const x = Buffer.from(rest.join('+'), 'base64').subarray(1).toString('base64url');
const ed25519 = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
const signed = Buffer.from(signature.split(' ')[1], 'base64').subarray(4);
if (name !== origin || !verify(null, Buffer.from(`${text}\n`), ed25519, signed)) fail('the signature is wrong');

console.log(`Verified ${events} of ${size} events of ${origin}.\n${time}\nSigned with ${key}`);

function fail(reason) {
  console.error(`Not verified: ${reason}.`);
  process.exit(1);
}
