import type { ServerResponse } from 'node:http';
import { type Bill, charge, chargeAll } from './bill.js';
import { chatCompletions, type DialectResponse } from './dialects/chat-completions.js';
import { completions } from './dialects/completions.js';
import { messages } from './dialects/messages.js';
import { responses } from './dialects/responses.js';
import { inStreamError } from './errors.js';
import { merge, type StreamEvent, toComment, toTypedEvent } from './events.js';
import type { Plan } from './plan.js';
import type { Dialect } from './request.js';
import { Sender } from './sender.js';

const dialectResponses: Record<Dialect, DialectResponse> = {
  'chat/completions': chatCompletions,
  completions,
  responses,
  messages,
};

/** Sends a whole response. */
export async function playJson(response: ServerResponse, plan: Plan, bill: Bill): Promise<void> {
  const sender = new Sender(response, plan.script);
  for (let token = 0; token < plan.counts.output && sender.isOpen; token++) {
    await sender.think();
    const isReasoning = token < plan.counts.reasoning;
    if (sender.isOpen) charge(bill, { output: 1, reasoning: isReasoning ? 1 : 0 });
  }
  if (!sender.isOpen) return;
  chargeAll(bill, plan);
  response.writeHead(200, { ...vendorHeaders, 'content-type': 'application/json' });
  const text = JSON.stringify(dialectResponses[plan.dialect].body(plan));
  const isSent = await sender.send(plan.script.brokenEvent?.data ?? text);
  bill.reportedUsage = isSent && plan.script.usage !== 'never' && plan.script.brokenEvent === undefined;
  bill.isComplete = isSent;
  sender.end();
}

/** Sends a stream of events. */
export async function playStream(response: ServerResponse, plan: Plan, bill: Bill): Promise<void> {
  const { script } = plan;
  const sender = new Sender(response, script);
  const events = eventsOf(plan);
  response.writeHead(200, { ...vendorHeaders, 'content-type': 'text/event-stream; charset=utf-8' });
  const sends = script.inOneWrite ? [merge(upTo(script.stop?.at, events, sender))] : events;
  for (const event of sends) {
    await sender.think(event.output > 0 ? 1 : 0);
    if (!sender.isOpen) return;
    charge(bill, event);
    const isSent = await sender.send(event.text);
    if (isSent && event.reportsUsage) {
      // Anthropic's first event has the input.
      bill.reportedUsage = script.brokenEvent?.at !== 0;
      chargeAll(bill, plan);
    }
    bill.isComplete = isSent && event === sends.at(-1) && script.errorEvent === undefined;
  }
  if (bill.isComplete) chargeAll(bill, plan);
  sender.end();
}

/** Returns the events of which some bytes are before a place in the stream. */
function upTo(end: number | undefined, events: StreamEvent[], sender: Sender): StreamEvent[] {
  let length = 0;
  return events.filter(({ text }, place) => {
    const isBefore = end === undefined || place === 0 || length < end;
    length += sender.encode(text).length;
    return isBefore;
  });
}

function eventsOf(plan: Plan): StreamEvent[] {
  const { script, dialect } = plan;
  let events = dialectResponses[dialect].events(plan);
  const { errorEvent, brokenEvent } = script;
  if (script.pings) {
    const ping = dialect === 'messages' ? toTypedEvent({ type: 'ping' }) : toComment('OPENROUTER PROCESSING');
    events = events.flatMap((event, place) => (place === 0 ? [event] : [ping, event]));
  }
  if (brokenEvent !== undefined) {
    const data = `data: ${brokenEvent.data}`;
    events = events.map((event, place) => {
      if (place !== brokenEvent.at) return event;
      return { ...event, text: event.text.replace(/data: .*/, data), reportsUsage: false };
    });
  }
  if (errorEvent === undefined) return events;
  return [...events.slice(0, errorEvent.at), inStreamError(dialect, errorEvent, errorEvent.at)];
}

const vendorHeaders = {
  'request-id': 'req_upstream',
  'x-request-id': 'req_upstream',
  'openai-processing-ms': '12',
  'openai-organization': 'upstream-organization',
};
