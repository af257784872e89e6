import { Counter, Gauge } from 'prom-client';
import type { MetricRegistry } from '../../engine/observe/metrics.ts';

export interface BackupMetrics {
  /** The start time of the newest backup, in epoch milliseconds; `null`: there is none. */
  newest(atMs: number | null): void;
  failed(): void;
}

/** @param everyMs The interval of backups. */
export const backupMetrics = ({ registry }: MetricRegistry, everyMs: number): BackupMetrics => {
  const registers = [registry];
  const interval = new Gauge({
    name: 'atrium_backup_interval_seconds',
    help: 'Time between two backups, by BACKUP_SCHEDULE',
    registers,
  });
  interval.set(everyMs / 1_000);
  const last = new Gauge({
    name: 'atrium_backup_last_success_timestamp_seconds',
    help: 'When the newest backup was begun, as the process that makes backups knows it; 0: never',
    registers,
  });
  const failures = new Counter({
    name: 'atrium_backup_failures_total',
    help: 'Backups that have failed in this process',
    registers,
  });
  return {
    newest: (atMs) => last.set((atMs ?? 0) / 1_000),
    failed: () => failures.inc(),
  };
};
