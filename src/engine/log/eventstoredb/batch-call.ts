import { EventStoreDBClient, type Credentials } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import messages from '@eventstore/db-client/generated/streams_pb.js';
import type {
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import type { OrderedRequest } from '../backend.ts';
import type { Position, SerialisedEvent } from '../event-store.ts';
import type { ActiveClient } from './client-failover.ts';
import { positionText } from './positions.ts';

/** The server's answer to one append of the call; `null`: it was refused, or not in time. */
export type BatchAnswer = { readonly revision: number; readonly position: Position } | null;

/** One call that carries many appends. The server processes them in the order they are sent. */
export interface BatchCall {
  /** @param id UUID that correlates the answer. */
  send(id: string, request: OrderedRequest): void;
  /** Ends the call. Appends that the server has not begun are not stored. */
  cancel(): void;
}

/** Called until the call ends; none of them may throw. */
interface BatchListener {
  answered(id: string, answer: BatchAnswer): void;
  /** No further append is answered. Called at least once. */
  ended(): void;
}

/**
 * Opens the call that the client uses for appends without credentials of their own. The client's
 * use of it has no deadline, and answers of all clients of a process share one table.
 *
 * @throws What the client throws where no server is found.
 */
export const openBatchCall = async (
  active: ActiveClient,
  credentials: Credentials,
  { answered, ended }: BatchListener,
): Promise<BatchCall> => {
  const call = await ClientCalls.batchAppend(active.client, credentials);
  const cancel = () => call.cancel();
  call.on('data', (answer: BatchAppendResp) => {
    answered(answer.getCorrelationId()?.getString() ?? '', answerOf(answer));
  });
  // Never removed: an error event without a listener would end the process, late ones too.
  call.on('error', ended);
  call.on('end', ended);
  active.replaced.addEventListener('abort', cancel, { once: true });
  call.on('close', () => active.replaced.removeEventListener('abort', cancel));
  return {
    send(id, request) {
      // The caller that waits for the answers bounds its bytes.
      if (call.writable) call.write(requestOf(id, request));
    },
    cancel,
  };
};

/** Access to the client's way of opening calls, with its leader, TLS and failure handling. */
abstract class ClientCalls extends EventStoreDBClient {
  static batchAppend(client: EventStoreDBClient, credentials: Credentials): Promise<Call> {
    const calls: ClientCalls = client;
    const options = { credentials, requiresLeader: true };
    return calls.GRPCStreamCreator(service.StreamsClient, 'batchAppend', (grpc) =>
      grpc.batchAppend(...calls.callArguments(options, { deadline: Infinity })),
    )();
  }
}

type Call = ReturnType<InstanceType<typeof service.StreamsClient>['batchAppend']>;

const answerOf = (answer: BatchAppendResp): BatchAnswer => {
  const stored = answer.getSuccess();
  const position = stored?.getPosition();
  if (!stored || !position) return null;
  return {
    revision: Number(stored.getCurrentRevision()),
    position: positionText({
      commit: BigInt(position.getCommitPosition()),
      prepare: BigInt(position.getPreparePosition()),
    }),
  };
};

const requestOf = (id: string, { stream, expected, events }: OrderedRequest): BatchAppendReq => {
  const options = new messages.BatchAppendReq.Options().setStreamIdentifier(
    new shared.StreamIdentifier().setStreamName(utf8.encode(stream)),
  );
  if (expected === 'no_stream') options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(expected));
  return new messages.BatchAppendReq()
    .setCorrelationId(new shared.UUID().setString(id))
    .setOptions(options)
    .setProposedMessagesList(events.map(messageOf))
    .setIsFinal(true);
};

const messageOf = ({ id, type, data, meta }: SerialisedEvent): BatchAppendReq.ProposedMessage => {
  const message = new messages.BatchAppendReq.ProposedMessage()
    .setId(new shared.UUID().setString(id))
    .setData(utf8.encode(data))
    .setCustomMetadata(utf8.encode(meta));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  return message;
};

const utf8 = new TextEncoder();
