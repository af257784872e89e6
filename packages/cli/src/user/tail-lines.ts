/** The lines of `atrium tail`, for programs and for people. */
import type { components } from '../../../sdk/src/index.ts';
import { printable } from '../terminal/text.ts';

type Schemas = components['schemas'];

export type TailLine =
  | ({ readonly type: 'request' } & Schemas['SandboxRequest'])
  | ({ readonly type: 'ticket' } & (Schemas['TicketChange'] | Schemas['UnreadableChange']))
  | {
      readonly type: 'event';
      readonly buildingId: string;
      readonly event: string;
      readonly data: object;
      readonly timestamp: string;
      readonly position: string;
    };

const DATA_CHARACTERS_MAX = 120;

/** `12:00:03.123  GET /api/v1/buildings  200  3.1 ms` */
export const wordsOf = (line: TailLine): string => {
  switch (line.type) {
    case 'request': {
      const { at, method, route, status, ms, keyId } = line;
      const by = keyId === null ? '' : `  key ${keyId}`;
      return printable(`${timeOf(at)}  ${method} ${route}  ${status}  ${ms} ms${by}`);
    }
    case 'ticket': {
      const { at, change } = line;
      const state = 'ticket' in line ? `${line.ticket.number} is ${line.ticket.state}` : '';
      return printable(`${timeOf(at)}  ticket ${change}  ${state}`);
    }
    case 'event': {
      const data = JSON.stringify(line.data).slice(0, DATA_CHARACTERS_MAX);
      return printable(`${timeOf(line.timestamp)}  ${line.event}  ${data}`);
    }
  }
};

const timeOf = (instant: string): string => instant.slice(11, 23);
