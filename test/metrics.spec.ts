import { expect, it } from 'vitest';
import { requestMetrics } from '../src/api/http/metrics.ts';
import { busMetrics } from '../src/bus/metrics.ts';
import { metricsOf } from '../src/engine/observe/metrics.ts';
import { feedMetrics } from '../src/processes/tickets/feed-metrics.ts';
import { sandboxMetrics } from '../src/processes/sandboxes/metrics.ts';
import { webhookMetrics } from '../src/processes/webhooks/metrics.ts';

const valuesIn = (printed: string) =>
  printed.split('\n').filter((line) => line.startsWith('atrium_'));

it("exposes each component's readings, and no stale value once a read fails", async () => {
  const metrics = metricsOf({ process: false });
  let isAway = false;
  const reading = <Value>(value: Value) => {
    if (isAway) throw new Error('the database is away');
    return Promise.resolve(value);
  };
  busMetrics(metrics, {
    streams: async () => reading([{ name: 'bus', bytes: 7, bytesMax: null }]),
  });
  sandboxMetrics(metrics, async () => reading(new Map([['ready', 3]])));
  const backlog = { waiting: 5, due: 2, oldestDueSeconds: 4, active: 1, paused: 0 };
  webhookMetrics(metrics, async () => reading(backlog)).running(() => 6);
  feedMetrics(metrics, async () => reading(8));
  const read = [
    'atrium_bus_reachable{broker="nats"} 1',
    'atrium_bus_stream_bytes{stream="bus"} 7',
    'atrium_sandboxes{status="ready"} 3',
    'atrium_webhook_backlog_deliveries{state="due"} 2',
    'atrium_webhook_backlog_deliveries{state="waiting"} 3',
    'atrium_webhook_oldest_due_seconds 4',
    'atrium_change_feed_blocked_tickets 8',
  ];
  const running = 'atrium_webhook_attempts_under_way 6';
  const shown = valuesIn(await metrics.print());
  expect(shown).toEqual(expect.arrayContaining([...read, running]));
  isAway = true;
  const away = valuesIn(await metrics.print());
  expect(away.filter((line) => read.includes(line))).toEqual([]);
  expect(away.filter((line) => line.startsWith('atrium_webhook_oldest_due'))).toEqual([]);
  expect(away).toEqual(expect.arrayContaining(['atrium_bus_reachable{broker="nats"} 0', running]));
});

it('keeps the metrics of two platforms in one process apart', async () => {
  const [one, other] = [metricsOf({ process: false }), metricsOf({ process: false })];
  const { requestDone } = requestMetrics(one);
  requestMetrics(other);
  requestDone({ method: 'GET', route: '/', status: 200 }, 0.01);
  const counted = 'atrium_http_request_seconds_count{method="GET",route="/",status="200"} 1';
  expect(await one.print()).toContain(counted);
  expect(await other.print()).not.toContain(counted);
});
