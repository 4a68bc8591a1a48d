import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeTemporaryFolder } from '../setup/temporary-folder.js';

/** A certificate authority of the reader's company, and what it has signed for `localhost`. */
export interface PrivateAuthority {
  /** File with the certificate of the authority. */
  file: string;
  certificate: string;
  key: string;
  remove: () => Promise<void>;
}

export async function createPrivateAuthority(): Promise<PrivateAuthority> {
  const folder = await makeTemporaryFolder();
  const openssl = (...argv: string[]) => execFileSync('openssl', argv, { cwd: folder.path, stdio: 'ignore' });
  const read = (file: string) => readFile(path.join(folder.path, file), 'utf8');
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  await writeFile(path.join(folder.path, 'names'), 'subjectAltName=DNS:localhost\n');
  openssl('req', '-x509', ...newKey, '-subj', '/CN=Private CA', '-keyout', 'ca.key', '-out', 'ca.pem');
  openssl('req', ...newKey, '-subj', '/CN=PostgreSQL', '-keyout', 'server.key', '-out', 'server.csr');
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-out', 'server.pem');
  return {
    file: path.join(folder.path, 'ca.pem'),
    certificate: await read('server.pem'),
    key: await read('server.key'),
    remove: folder.remove,
  };
}
