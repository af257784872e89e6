import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { NoKeyInFile } from '../../../src/engine/drawn-once.ts';
import { CannotOpen, keptKey, readKey, secretsOf } from '../../../src/engine/secrets/secrets.ts';

const [old, young] = [randomBytes(32), randomBytes(32)];

it('opens what it sealed, for the same stream', () => {
  const secrets = secretsOf([old]);
  expect(secrets.open(secrets.seal('whsec_…', 'subscription-1'), 'subscription-1')).toBe('whsec_…');
});

it('never seals the same text to the same bytes', () => {
  const secrets = secretsOf([old]);
  expect(secrets.seal('a', 's-1')).not.toBe(secrets.seal('a', 's-1'));
});

it('does not open what was sealed for another stream, or altered', () => {
  const secrets = secretsOf([old]);
  const sealed = secrets.seal('a', 's-1');
  expect(() => secrets.open(sealed, 's-2')).toThrow(CannotOpen);
  const parts = sealed.split('.');
  const body = Buffer.from(parts[3]!, 'base64url');
  body[0]! ^= 1;
  const altered = [...parts.slice(0, 3), body.toString('base64url')].join('.');
  expect(() => secrets.open(altered, 's-1')).toThrow(CannotOpen);
});

it('seals with the first key and opens with all, so that a key can be replaced', () => {
  const before = secretsOf([old]).seal('a', 's-1');
  const both = secretsOf([young, old]);
  expect(both.open(before, 's-1')).toBe('a');
  expect(() => secretsOf([old]).open(both.seal('a', 's-1'), 's-1')).toThrow(CannotOpen);
});

const newFile = () => join(mkdtempSync(join(tmpdir(), 'atrium-key-')), 'deep', 'secrets.key');

it('draws the development key once and keeps it from others', () => {
  const file = newFile();
  const key = keptKey(file);
  expect(key).toHaveLength(32);
  expect(keptKey(file)).toEqual(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file))).toEqual(['secrets.key']);
});

it('draws one key for all who start at once, and shows none of them a part of it', async () => {
  const files = Array.from({ length: 25 }, newFile);
  const start = new Int32Array(new SharedArrayBuffer(4));
  const module = new URL('../../../src/engine/secrets/secrets.ts', import.meta.url).href;
  const code = `
    const { workerData: { start, files, threads }, parentPort } = require('node:worker_threads');
    import('${module}').then(({ keptKey }) => parentPort.postMessage(files.map((file, at) => {
      Atomics.add(start, 0, 1);
      while (Atomics.load(start, 0) < (at + 1) * threads);
      return keptKey(file).toString('base64');
    })));`;
  const drawn = await Promise.all(
    [1, 2].map(() => {
      const worker = new Worker(code, { eval: true, workerData: { start, files, threads: 2 } });
      return new Promise<readonly string[]>((resolve, reject) =>
        worker.once('message', resolve).once('error', reject),
      );
    }),
  );
  expect(drawn[0]).toEqual(drawn[1]);
  expect(drawn[0]).toEqual(files.map((file) => readKey(file)!.toString('base64')));
});

it.each(['', 'c2hvcnQ=', `${'A'.repeat(43)}=\nA`])('names a file that holds %j', (text) => {
  const file = join(mkdtempSync(join(tmpdir(), 'atrium-key-')), 'secrets.key');
  writeFileSync(file, text);
  for (const read of [readKey, keptKey]) {
    expect(() => read(file)).toThrow(NoKeyInFile);
    expect(() => read(file)).toThrow(file);
  }
});
