import { statfsSync } from 'node:fs';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { listenForMetrics } from '../../../src/api/http/metrics-listener.ts';
import { metricsOf } from '../../../src/engine/observe/metrics.ts';
import { auditChainMetrics } from '../../../src/identity/keys/metrics.ts';
import { ownMetrics } from '../../../src/engine/observe/process-metrics.ts';
import { readinessError } from '../../../src/engine/observe/readiness-error.ts';
import { temporaryDirectory } from '../../support/directory.ts';

const parts = ['nats', 'issuer'];
const valueOf = (text: string, name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);

it('reports whether the process is ready, and not ready while that is unknown', async () => {
  const metrics = metricsOf({ process: false });
  const ready = async () => valueOf(await metrics.print(), 'atrium_ready');
  expect(await ready()).toBe(0);
  const degradations = async () => [];
  metrics.own.readiness({ parts, reasons: async () => [], degradations });
  expect(await ready()).toBe(1);
  metrics.own.readiness({ parts, reasons: async () => [readinessError('stopping')], degradations });
  expect(await ready()).toBe(0);
  metrics.own.readiness({ parts, reasons: () => Promise.reject(new Error('a bug')), degradations });
  expect(await ready()).toBe(0);
});

it('reports which optional parts are unavailable, and is ready all the same', async () => {
  const metrics = metricsOf({ process: false });
  const away = { part: 'nats', reason: readinessError('NATS cannot be used') } as const;
  let degradations: (typeof away)[] = [away];
  metrics.own.readiness({ parts, reasons: async () => [], degradations: async () => degradations });
  const shown = async () => {
    const text = await metrics.print();
    const part = (name: string) => valueOf(text, `atrium_degraded\\{part="${name}"\\}`);
    return [valueOf(text, 'atrium_ready'), part('nats'), part('issuer')];
  };
  expect(await shown()).toEqual([1, 1, 0]);
  degradations = [];
  expect(await shown()).toEqual([1, 0, 0]);
});

it('reports the free space of the fullest disk, and no figure of a missing one', async () => {
  const metrics = metricsOf({ process: false });
  const directories = [temporaryDirectory('disk'), '/dev'];
  metrics.own.disks(directories);
  const text = await metrics.print();
  const [free, size] = ['free', 'size'].map((of) => valueOf(text, `atrium_data_disk_${of}_bytes`));
  expect(free).toBeGreaterThan(0);
  const disks = directories.map((directory) => statfsSync(directory));
  const shares = disks.map(({ bavail, blocks }) => bavail / blocks);
  expect(free! / size!).toBeCloseTo(Math.min(...shares), 1);
  metrics.own.disks(['/dev', '/nowhere/at/all']);
  expect(await metrics.print()).toMatch(/^atrium_data_disk_free_bytes \d/m);
  metrics.own.disks(['/nowhere/at/all']);
  expect(await metrics.print()).not.toMatch(/^atrium_data_disk_/m);
});

it('looks once at a disk that does not answer, however often it is scraped', async () => {
  let looks = 0;
  const { metrics, look } = ownMetrics(new Registry(), () => {
    looks += 1;
    return new Promise<never>(() => {});
  });
  metrics.disks(['/mnt/hung']);
  await Promise.all([look(), look()]);
  await look();
  expect(looks).toBe(1);
});

it('reports no stale figure of an unreadable component, and all others', async () => {
  const metrics = metricsOf({ process: false });
  let lag = async () => 12.5;
  auditChainMetrics(metrics, () => lag());
  const shown = async () => /^atrium_audit_chain_lag_seconds .+$/m.exec(await metrics.print())?.[0];
  expect(await shown()).toBe('atrium_audit_chain_lag_seconds 12.5');
  lag = () => Promise.reject(new Error('the log is away'));
  expect(await shown()).toBeUndefined();
  expect(await metrics.print()).toContain('atrium_ready');
});

it('are served on a separate port, which serves no other path or method', async () => {
  const { port, close } = await listenForMetrics(metricsOf({ process: false }), {
    host: '127.0.0.1',
    port: 0,
  });
  onTestFinished(close);
  const asked = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, init);
  const shown = await asked('/metrics');
  expect(shown.headers.get('content-type')).toContain('text/plain');
  expect(await shown.text()).toContain('atrium_ready');
  const head = await asked('/metrics', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await asked('/health/live')).status).toBe(404);
  expect((await asked('/metrics', { method: 'POST' })).status).toBe(404);
});
