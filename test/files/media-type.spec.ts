import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FILE_HEAD_BYTES } from '../../src/files/limits.ts';
import { inspectedType } from '../../src/files/media-type.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR' +
    '42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const typeOf = async (...chunks: readonly (Uint8Array | string)[]) => {
  const inspection = inspectedType();
  const sent = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  const passed = await Array.fromAsync(inspection.passing(sent()));
  expect(Buffer.concat(passed).equals(Buffer.concat(chunks.map((one) => Buffer.from(one))))).toBe(
    true,
  );
  return inspection.mediaType();
};

describe('the type of a file', () => {
  it('is detected by its first bytes, in any chunks', async () => {
    expect(await typeOf(PNG)).toBe('image/png');
    expect(await typeOf(...Array.from(PNG, (byte) => Buffer.of(byte)))).toBe('image/png');
    expect(await typeOf('%PDF-1.7\n%âãÏÓ\n')).toBe('application/pdf');
  });

  it('of everything written is text, so that no page and no script is anything else', async () => {
    for (const text of [
      'Ölstand: 4711\r\n\t…',
      '<!doctype html><script>alert(1)</script>',
      '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
      '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
      Buffer.from([0x53, 0x74, 0x6f, 0x72, 0x75, 0x6e, 0x67, 0x20, 0xfc]),
    ])
      expect(await typeOf(text)).toBe('text/plain');
  });

  it('of programs and unknown bytes is none', async () => {
    const elf = Buffer.concat([Buffer.from([0x7f]), Buffer.from('ELF'), Buffer.alloc(100, 1)]);
    const exe = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(200)]);
    expect(await typeOf(elf)).toBeNull();
    expect(await typeOf(exe)).toBeNull();
    expect(await typeOf(Buffer.from([1, 2, 3, 4]))).toBeNull();
  });

  it('is none for text with other bytes at its end', async () =>
    expect(await typeOf('a'.repeat(2 * FILE_HEAD_BYTES), Buffer.from([0]))).toBeNull());

  it('of a compression bomb is detected without inflating it', async () =>
    expect(await typeOf(gzipSync(Buffer.alloc(64 * 1024 * 1024)))).toBe('application/gzip'));
});
