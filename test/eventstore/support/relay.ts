/**
 * A proxy between the log and a real EventStoreDB, which injects the faults of networks and
 * servers: lost replies, ended calls, hanging calls.
 */
import {
  credentials,
  Metadata,
  Server,
  ServerCredentials,
  status,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import type {
  AppendReq,
  AppendResp,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';

const { BACKWARDS } = messages.ReadReq.Options.ReadDirection;

export interface Relay {
  readonly url: string;
  /** Open reads, including subscriptions. */
  open(): number;
  /** Reads of a stream's last event since the start. */
  tailReads(): number;
  appends(): number;
  /** Loses the reply to the next append before or after it is stored, after `first`. */
  loseNextAppend(when: 'before' | 'after', first?: () => Promise<void>): void;
  /** Refuses the next append with the stream at `revision`, without forwarding it. */
  refuseNextAppend(revision: number): void;
  /** Forwards the next append after `first`. */
  beforeNextAppend(first: () => Promise<void>): void;
  /** Ends every open read without an error, as a server may do. */
  endReads(): void;
  /** Omits `caughtUp`, as servers before 23.10 do. */
  keepQuiet(): void;
  /** Withholds the events of subscriptions until it is released. */
  hold(): void;
  release(): void;
  close(): void;
}

type Reading = ServerWritableStream<ReadReq, ReadResp>;

export const relayTo = async (url: string): Promise<Relay> => {
  const upstream = new streams.StreamsClient(
    new URL(url.replace('esdb:', 'http:')).host,
    credentials.createInsecure(),
  );
  const reading = new Map<Reading, () => void>();
  let fault: { when: 'before' | 'after'; first: () => Promise<void> } | null = null;
  let preceding: (() => Promise<void>) | null = null;
  let refusedAt: number | null = null;
  let tailReads = 0;
  let appends = 0;
  let quiet = false;
  let held: (() => void)[] | null = null;

  const read: handleServerStreamingCall<ReadReq, ReadResp> = (call) => {
    const options = call.request.getOptions();
    if (options?.getStream() && options.getReadDirection() === BACKWARDS) tailReads += 1;
    const source = upstream.read(call.request, leader(call.metadata), { deadline: Infinity });
    const over = () => {
      reading.delete(call);
      source.cancel();
    };
    reading.set(call, over);
    source.on('data', (message: ReadResp) => {
      if (quiet && message.hasCaughtUp()) return;
      const pass = () => void call.write(message);
      if (held && options?.hasSubscription()) held.push(pass);
      else pass();
    });
    source.on('end', () => {
      if (reading.has(call)) call.end();
      over();
    });
    source.on('error', (error) => {
      if (reading.has(call)) call.emit('error', error);
      over();
    });
    call.on('cancelled', over);
  };

  const append: handleClientStreamingCall<AppendReq, AppendResp> = (call, answer) => {
    const messages: AppendReq[] = [];
    const lose = async (first: () => Promise<void>) => {
      await first();
      answer({ code: status.UNAVAILABLE, details: 'Connection dropped' });
    };
    call.on('data', (message: AppendReq) => messages.push(message));
    call.on('end', () => {
      appends += 1;
      if (refusedAt !== null) {
        answer(null, refusal(refusedAt));
        refusedAt = null;
        return;
      }
      const now = fault;
      fault = null;
      if (now?.when === 'before') {
        void lose(now.first);
        return;
      }
      const pass = () => {
        const sink = upstream.append(leader(call.metadata), (error, response) => {
          if (now) void lose(now.first);
          else answer(error, response);
        });
        for (const message of messages) sink.write(message);
        sink.end();
      };
      const first = preceding;
      preceding = null;
      if (first) void first().then(pass);
      else pass();
    });
  };

  const server = new Server();
  server.addService(streams.StreamsService, { read, append });
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    open: () => reading.size,
    tailReads: () => tailReads,
    appends: () => appends,
    loseNextAppend: (when, first = async () => {}) => {
      fault = { when, first };
    },
    refuseNextAppend: (revision) => {
      refusedAt = revision;
    },
    beforeNextAppend: (first) => {
      preceding = first;
    },
    endReads: () => {
      for (const [call, over] of reading) {
        over();
        call.end();
      }
    },
    keepQuiet: () => {
      quiet = true;
    },
    hold: () => {
      held = [];
    },
    release: () => {
      for (const pass of held ?? []) pass();
      held = null;
    },
    close: () => {
      server.forceShutdown();
      upstream.close();
    },
  };
};

const refusal = (revision: number): AppendResp => {
  const wrong = new messages.AppendResp.WrongExpectedVersion();
  wrong.setCurrentRevision(String(revision));
  const response = new messages.AppendResp();
  response.setWrongExpectedVersion(wrong);
  return response;
};

const leader = (given: Metadata): Metadata => {
  const metadata = new Metadata();
  for (const value of given.get('requires-leader')) metadata.add('requires-leader', value);
  return metadata;
};
