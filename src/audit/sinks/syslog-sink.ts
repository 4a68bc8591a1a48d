import { once } from 'node:events';
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { connect } from 'node:tls';
import type { SyslogSinkDefinition } from '../../config/sink-definition.js';
import { type Sink, type SinkBatch, SinkError, type SinkEvent } from './sink.js';

/** Facility 13 (log audit), severity 5 (notice). */
const priority = 13 * 8 + 5;

/**
 * Sends RFC 5424 messages over TLS with octet counting (RFC 5425). Syslog has no acknowledgments, so each batch has its own
 * connection: the receiver has read all of it when it closes its side after ours, without an error.
 */
export class SyslogSink implements Sink {
  readonly maxEvents = 500;
  readonly waitMilliseconds = 0;

  constructor(private readonly definition: SyslogSinkDefinition) {}

  async deliver({ events }: SinkBatch, signal: AbortSignal): Promise<void> {
    const { host, port, ca } = this.definition;
    const socket = connect({
      host,
      port,
      ...(ca !== undefined && { ca }),
      // Names in certificates are checked for IP addresses too, but those can't be sent as a server name.
      ...(isIP(host) === 0 && { servername: host }),
    });
    const abort = () => socket.destroy(new SinkError('The receiver did not close the connection in time.'));
    signal.addEventListener('abort', abort, { once: true });
    try {
      await once(socket, 'secureConnect');
      let isSent = false;
      socket.once('finish', () => (isSent = true));
      socket.once('end', () => {
        if (!isSent) socket.destroy(new SinkError('The receiver closed the connection early.'));
      });
      socket.resume();
      socket.end(events.map(toFrame).join(''));
      await once(socket, 'close');
    } finally {
      signal.removeEventListener('abort', abort);
      socket.destroy();
    }
  }
}

const host =
  hostname()
    .replace(/[^\x21-\x7e]/g, '')
    .slice(0, 255) || '-';

function toFrame({ line, action, occurredAt }: SinkEvent): string {
  const message = `<${priority}>1 ${occurredAt.toISOString()} ${host} keycard - ${action.slice(0, 32)} - ${line}`;
  return `${Buffer.byteLength(message)} ${message}`;
}
