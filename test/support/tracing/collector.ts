/** A collector of spans: accepts OTLP over HTTP, as JSON, and stores the spans. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../until.ts';

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where a trace begins. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: (typeof kinds)[number];
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly failed: boolean;
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface Collector {
  /** What `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT` takes. */
  readonly endpoint: string;
  /** The status of its answers from now on. Default: 200. */
  status: number;
  /**
   * The span of a trace with exactly this path from the root, or from the caller's span, once all
   * of them have arrived.
   *
   * @param path The names of its ancestors and, last, its own.
   * @throws With all received paths.
   */
  span(traceId: string, ...path: readonly string[]): Promise<CollectedSpan>;
  /** The received spans of a trace. */
  of(traceId: string): readonly CollectedSpan[];
  close(): Promise<void>;
}

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
  readonly boolValue?: boolean;
}
type KeyValues = readonly { readonly key: string; readonly value: Value }[];

interface Exported {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: KeyValues };
    readonly scopeSpans: readonly { readonly spans: readonly ExportedSpan[] }[];
  }[];
}

interface ExportedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: KeyValues;
  readonly status: { readonly code?: number };
}

const membersOf = (all: KeyValues) =>
  Object.fromEntries(
    all.map(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? (doubleValue ?? boolValue) : Number(intValue)),
    ]),
  );

const spansIn = ({ resourceSpans }: Exported): readonly CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId = '', name, kind, attributes, status }) => ({
        traceId,
        spanId,
        parentSpanId,
        name,
        kind: kinds[kind]!,
        attributes: membersOf(attributes),
        failed: status.code === FAILED,
        resource: membersOf(resource.attributes),
      })),
    ),
  );

const FAILED = 2;

export const collector = async (): Promise<Collector> => {
  const spans: CollectedSpan[] = [];
  const made = { status: 200 };
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    if (made.status === 200) spans.push(...spansIn(JSON.parse(body.toString()) as Exported));
    response.writeHead(made.status, { 'content-type': 'application/json' }).end('{}');
  };
  const server = createServer((...exchange) => void take(...exchange)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const pathTo = (span: CollectedSpan): readonly string[] => {
    const parent = spans.find(
      ({ traceId, spanId }) => traceId === span.traceId && spanId === span.parentSpanId,
    );
    return [...(parent ? pathTo(parent) : []), span.name];
  };

  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);

  return Object.assign(made, {
    endpoint: `http://127.0.0.1:${port}/v1/traces`,
    of,
    async span(traceId: string, ...path: readonly string[]) {
      const wanted = path.join(' > ');
      const find = () => of(traceId).find((span) => pathTo(span).join(' > ') === wanted);
      await until(() => find() !== undefined, wanted).catch((error: Error) => {
        const all = of(traceId).map((span) => pathTo(span).join(' > '));
        throw new Error(`${error.message}; there are\n${all.join('\n')}`);
      });
      return find()!;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
};
