import { Socket } from 'node:net';
import { readFrames, writeFrame } from '../frames.js';
import {
  answerDescriptor,
  encodeAnswer,
  requestDescriptor,
  requestLimits,
  type WorkerAnswer,
  type WorkerRequest,
} from '../worker-messages.js';

/**
 * Runs a worker: says that it has started, then answers the requests of the service until the service is gone.
 *
 * @param answer gets the document with an `open`; undefined gives no answer
 */
export function answerRequests(
  answer: (request: WorkerRequest, document: Buffer) => Promise<WorkerAnswer | undefined>,
): void {
  const requests = new Socket({ fd: requestDescriptor, readable: true, writable: false });
  const answers = new Socket({ fd: answerDescriptor, readable: false, writable: true });
  const send = (message: WorkerAnswer) => {
    const { head, body } = encodeAnswer(message);
    writeFrame(answers, head, body);
  };
  const stop = () => process.exit();
  requests.on('end', stop).on('error', stop);
  answers.on('error', stop);
  readFrames(
    requests,
    requestLimits,
    ({ head, body }) => void answer(head as WorkerRequest, body).then((message) => message && send(message)),
    stop,
  );
  send({ kind: 'started' });
}
