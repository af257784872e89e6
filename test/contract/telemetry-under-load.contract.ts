/**
 * A year of weather is sent while the server is killed and the building is replaced: every
 * acknowledged sample is stored, and each fault was found and announced once.
 */
import { afterEach, expect, it } from 'vitest';
import { telemetryCodec } from '../../src/domain/telemetry/codecs.ts';
import type { EventStore } from '../../src/engine/log/event-store.ts';
import { buildingWith } from '../support/api/telemetry.ts';
import {
  crossings,
  weatherCodes,
  weatherOf2012,
  weatherPoints,
  type WeatherPoint,
} from '../support/domain/weather.ts';
import { freePort } from '../support/servers/port.ts';
import type { ServerProcess } from '../support/servers/server.ts';
import { servers } from '../support/servers/servers.ts';
import { letPass, untilCount } from '../support/until.ts';
import { allEvents } from '../support/log/all-events.ts';

const MANAGER = 'manager@acme.test';
const KILLS = 4;
const IMPORTS = 2;
/** Samples of a point in one request. */
const HOURS_AT_ONCE = 36;

export interface TelemetryBackend {
  readonly env: Record<string, string>;
  readonly log: EventStore;
  close(): Promise<void>;
}

export const telemetryUnderLoad = (open: () => Promise<TelemetryBackend>) => {
  const { start, release } = servers();
  afterEach(release);

  it('finds each fault once, though servers are killed and the building is replaced', async () => {
    const backend = await open();
    const env = { ...backend.env, PORT: String(await freePort()) };
    let server: ServerProcess = await start(env);
    const year = weatherOf2012();
    let requests = 0;

    /** Retries the request until it is answered. */
    const asked = async (method: string, path: string, body?: object) => {
      for (;;) {
        const ask = body === undefined ? {} : { body };
        const answer = await server.call(MANAGER, method, path, ask).catch(() => null);
        if (answer && answer.status < 500) return answer;
        await letPass(20, 'the pause before one asks again');
      }
    };
    const made = await asked('POST', '/api/v1/buildings/import', buildingWith(weatherPoints));
    const path = `/api/v1/buildings/${made.body.buildingId}`;
    const ids = async () => {
      const { items } = (await asked('GET', `${path}/points?limit=100`)).body;
      return new Map<string, string>(
        items.map(({ code, id }: { code: string; id: string }) => [code, id]),
      );
    };
    const rules = [
      { code: 'TEMPERATURE', threshold: 25 },
      { code: 'HUMIDITY', threshold: 90 },
      { code: 'WIND', threshold: 30 },
      { code: 'PRESSURE', threshold: 102 },
    ] as const;
    for (const { code, threshold } of rules) {
      const rule = { title: code, severity: 'low', comparison: 'gt', threshold };
      const pointId = (await ids()).get(code);
      expect((await asked('POST', `${path}/diagnostic-rules`, { ...rule, pointId })).status).toBe(
        201,
      );
    }

    /** Sends the samples of one point in order, and repeats those with an outdated point id. */
    const send = async (code: WeatherPoint) => {
      let pointId = (await ids()).get(code);
      for (let from = 0; from < year.length;) {
        const observations = year
          .slice(from, from + HOURS_AT_ONCE)
          .map(({ at, values }) => ({ pointId, timestamp: at, value: values[code] }));
        const { status } = await asked('POST', `${path}/observations`, { observations });
        requests += 1;
        if (status === 200) from += HOURS_AT_ONCE;
        else pointId = (await ids()).get(code);
      }
    };
    const turns = KILLS + IMPORTS;
    // Spread over the minimum of requests, so that the senders never end before the last turn.
    const requestsMin = weatherCodes.length * Math.ceil(year.length / HOURS_AT_ONCE);
    const senders = Promise.all(weatherCodes.map(send));
    for (let turn = 1; turn <= turns; turn += 1) {
      await untilCount(() => requests, Math.floor((turn * requestsMin) / (turns + 1)), 'requests');
      if (turn % 3 === 0) {
        const document = buildingWith(weatherPoints);
        const { status } = await asked('POST', `${path}/import?replace=true`, document);
        if (status !== 200) throw new Error(`the import was answered ${status}`);
      } else {
        await server.signal('SIGKILL');
        server = await start(env);
      }
    }
    await senders;

    const now = await ids();
    for (const code of weatherCodes) {
      const items: object[] = [];
      for (let from: string | null = '2012-01-01T00:00:00Z'; from !== null;) {
        const range = `from=${from}&to=2013-01-01T00:00:00Z`;
        const page = await asked('GET', `${path}/points/${now.get(code)}/observations?${range}`);
        items.push(...page.body.items);
        from = page.body.nextFrom;
      }
      expect(items).toEqual(year.map(({ at, values }) => ({ timestamp: at, value: values[code] })));
    }
    const found = async (code: string) => {
      const { items } = (await asked('GET', `${path}/faults?limit=1000`)).body;
      return items
        .filter(({ title }: { title: string }) => title === code)
        .map(({ openedAt, closedAt, value }: Record<string, unknown>) => ({
          openedAt,
          closedAt,
          value,
        }))
        .toReversed();
    };
    for (const { code, threshold } of rules) {
      const faults = crossings(year, code, (value) => value > threshold);
      expect(faults.length).toBeGreaterThan(10);
      await untilCount(async () => (await found(code)).length, faults.length, `faults of ${code}`);
      // The last one may be open still.
      await expect.poll(() => found(code)).toEqual(faults);
    }
    const { total } = (await asked('GET', `${path}/faults?limit=1`)).body;
    const announced = async () => {
      const events = await allEvents(backend.log, { categories: ['telemetry'] });
      return events
        .map((stored) => telemetryCodec.decode(stored).event)
        .flatMap((event) =>
          event.type === 'PointsUpdated' ? [] : [`${event.type} ${event.faultId}`],
        );
    };
    await untilCount(async () => (await announced()).length, 2 * total, 'announcements');
    const facts = await announced();
    expect(facts).toHaveLength(2 * total);
    expect(new Set(facts).size).toBe(2 * total);
    const order = (fact: string, before: string) => facts.indexOf(fact) < facts.indexOf(before);
    const created = facts.filter((fact) => fact.startsWith('FaultCreated'));
    expect(
      created.filter((fact) => !order(fact.replace('FaultCreated', 'AlarmTriggered'), fact)),
    ).toEqual([]);
    await server.signal('SIGKILL');
    await backend.close();
  });
};
