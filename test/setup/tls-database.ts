import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { DatabaseConnection } from '../../src/config/database-connection.js';
import { socketPath } from '../../src/database/embedded-postgres/socket-directory.js';
import { listenOnLastingPort } from './lasting-port.js';

/** The certificate of a private CA, valid until 2126. */
export const caCertificate = `-----BEGIN CERTIFICATE-----
MIIBejCCASGgAwIBAgIULA3tANva6aOYHpKlc8KHmcxmTG8wCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjYxNzQyMjlaGA8yMTI2MTEwMjE3
NDIyOVowEjEQMA4GA1UEAwwHVGVzdCBDQTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABIKCPCU1wE8b/DQnhFzWGKjq/qRf4DEqi7Fz+0IjO8z28liqrKXABOBJHnub
1Qlfg4ruazn4JkvsF7+50tD556GjUzBRMB0GA1UdDgQWBBQsRKNR9/ed29IBuayW
UmkIH4uhLzAfBgNVHSMEGDAWgBQsRKNR9/ed29IBuayWUmkIH4uhLzAPBgNVHRMB
Af8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIHlU9R4VlDzURuzTYW31sOPjzD6r
ipcJKkHsyav937L6AiBOkBLANAdR2W+2zqowqQmmiVubRTp4mUqE2MaiarZVpQ==
-----END CERTIFICATE-----
`;

/** For `localhost`, signed by that CA. */
export const localhostCertificate = `-----BEGIN CERTIFICATE-----
MIIBgjCCASigAwIBAgIUb7Z9aEeoG97EIQA7EPDGB5PJ//YwCgYIKoZIzj0EAwIw
EjEQMA4GA1UEAwwHVGVzdCBDQTAgFw0yNjExMjYxNzQyMjlaGA8yMTI2MTEwMjE3
NDIyOVowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAESMMAj+6COf3zsgOaxZ1rsXjxW6N6je7P+8EAre0pfnFpH1SXllJJawSs
rRF4JIHO9DZ1NOdDtCFosk7krHcRwaNYMFYwFAYDVR0RBA0wC4IJbG9jYWxob3N0
MB0GA1UdDgQWBBR8O1QC8BDStDHGGriB7CRKebjhKTAfBgNVHSMEGDAWgBQsRKNR
9/ed29IBuayWUmkIH4uhLzAKBggqhkjOPQQDAgNIADBFAiEAyl1shtoQNMTrmNKV
r/90SLsWDYdvIqzHtW7gNpBsH4QCIDJvhdVJsWNLg7wKgddgMMsDMM0tqoS1N0HB
9XFzaTbG
-----END CERTIFICATE-----`;

export const localhostKey = `-----BEGIN EC PRIVATE KEY-----
MHcCAQEEIMl3GA7PVc8S656KXYYeN5RsMYOEae8T6mjPDPVNut4AoAoGCCqGSM49
AwEHoUQDQgAESMMAj+6COf3zsgOaxZ1rsXjxW6N6je7P+8EAre0pfnFpH1SXllJJ
awSsrRF4JIHO9DZ1NOdDtCFosk7krHcRwQ==
-----END EC PRIVATE KEY-----`;

/** What a client sends first if it wants TLS. */
const sslRequestBytes = 8;

export interface TlsDatabase {
  port: number;
  close: () => Promise<void>;
}

/** PostgreSQL with TLS, and a certificate of a private CA. */
export async function openTlsDatabase(target: DatabaseConnection): Promise<TlsDatabase> {
  const sockets = new Set<Socket>();
  const watch = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    watch(client);
    client.once('readable', () => {
      client.read(sslRequestBytes);
      client.write('S');
      const secured = new TLSSocket(client, { isServer: true, key: localhostKey, cert: localhostCertificate });
      const upstream = target.host.startsWith('/')
        ? connect(socketPath(target.host, target.port))
        : connect(target.port, target.host);
      for (const socket of [secured, upstream]) watch(socket);
      secured.pipe(upstream).pipe(secured);
    });
  });
  const port = await listenOnLastingPort(server);
  const close = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    await once(server, 'close');
  };
  return { port, close };
}
